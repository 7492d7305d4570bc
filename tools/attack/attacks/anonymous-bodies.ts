/**
 * Bodies that nobody should read: without a key, with an unknown key, without a session, and to the
 * pages' API. Bound: the largest is 105 MB, each is given 60 s; a body over the limit may also be
 * answered by closing the connection.
 */
import type { Attack, Means, Tally } from "../attack";
import { places } from "../bodies";
import {
  bytesOf,
  chunked,
  type Headers,
  head,
  JSON_HEADERS,
  MEBIBYTE,
  repeated,
} from "../requests";
import { exchange } from "../wire";

const ANSWER_MS = 60_000;
/** For a larger body the server may close the connection before its end. */
const LARGEST_READ_BYTES = 4 * MEBIBYTE;
const FORM: Headers = { "content-type": "application/x-www-form-urlencoded" };

/** The addresses that next-auth reads by itself, and the other writes that need no session. */
const openPaths = [
  "/api/auth/callback/credentials",
  "/api/auth/signin/credentials",
  "/api/auth/signout",
  "/api/auth/_log",
  "/api/auth/session",
  "/api/auth/callback/email",
  "/api/sign-up",
  "/api/payments/stripe",
  "/api/nothing/here",
  "/",
  "/pricing",
  "/nothing/here",
];
const sessionPaths = [
  "/api/keys",
  "/api/profile",
  "/api/password",
  "/api/vouchers/redeem",
  "/api/proof",
  "/api/playground/v1/chat/completions",
];

async function send(
  means: Means,
  tally: Tally,
  path: string,
  headers: Headers,
  pieces: readonly Buffer[],
  isChunked = false,
) {
  const { target, origin } = means;
  const framing: Headers = isChunked ? { "transfer-encoding": "chunked" } : {};
  const start = head(
    target,
    "POST",
    path,
    { origin, ...headers, ...framing },
    isChunked ? null : bytesOf(pieces),
  );
  const kind = `${headers["content-type"]}${isChunked ? " in chunks" : ""}`;
  const label = `${(bytesOf(pieces) / MEBIBYTE).toFixed(1)} MiB of ${kind} to ${path}`;
  tally.sending();
  const sent = [start, ...(isChunked ? chunked(pieces) : pieces)];
  const mayClose = bytesOf(pieces) > LARGEST_READ_BYTES;
  tally.settle(
    await tally.step(label, () => exchange(target, sent, { timeoutMs: ANSWER_MS })),
    label,
    { mayClose },
  );
}

export const anonymousBodiesAttack: Attack = {
  name: "anonymous-bodies",
  what: "bodies of up to 105 MB without a session or a key",
  async run(means, tally) {
    const sizes = means.isBrief ? [MEBIBYTE] : [3 * MEBIBYTE, 105_000_000];
    for (const bytes of sizes) {
      for (const path of openPaths) {
        await send(
          means,
          tally,
          path,
          JSON_HEADERS,
          repeated('{"csrfToken":"a","zz":[{}', ",{}", "]}", bytes),
        );
        await send(
          means,
          tally,
          path,
          FORM,
          repeated("csrfToken=a&email=a", "&a=b", "", bytes),
          true,
        );
      }
      for (const { path } of places) {
        const unknown = { ...JSON_HEADERS, authorization: `Bearer sk-rly-${"a".repeat(46)}` };
        await send(means, tally, path, unknown, repeated('{"zz":[{}', ",{}", "]}", bytes));
      }
    }
  },
};

export const sessionBodiesAttack: Attack = {
  name: "session-bodies",
  what: "large and badly shaped bodies to the pages' API with a session",
  async run(means, tally) {
    const [cookie] = means.sessions;
    if (cookie === undefined) return;
    for (const path of sessionPaths) {
      for (const bytes of [60 * 1024, means.isBrief ? 2 * MEBIBYTE : 32 * MEBIBYTE]) {
        const headers = { ...JSON_HEADERS, cookie };
        await send(
          means,
          tally,
          path,
          headers,
          repeated('{"name":"a","zz":[{}', ",{}", "]}", bytes),
        );
        await send(means, tally, path, headers, repeated("", "[", "", bytes), true);
      }
    }
  },
};
