/**
 * As many small requests as one address can send. Bound: 20 s each (brief: 2 s) over at most 64
 * connections.
 */
import { makeKeyText } from "@/lib/accounts/key-text";
import { defaultPageBounds } from "@/lib/limits/page-limiter";
import type { Attack, Means } from "../attack";
import { flood } from "../flood";
import { type Headers, head, request } from "../requests";

const length = ({ isBrief }: Means) => (isBrief ? 2_000 : 20_000);
const FORM: Headers = { "content-type": "application/x-www-form-urlencoded" };

/** Created before the flood, so that computing checksums does not slow it down. */
function unknownKeys(count: number): string[] {
  return Array.from({ length: count }, makeKeyText);
}

export const unknownKeysFlood: Attack = {
  name: "flood-unknown-keys",
  what: "keys that look right and were never made, each another one",
  async run(means, tally) {
    const { target, isBrief } = means;
    const keys = unknownKeys(isBrief ? 10_000 : 100_000);
    const ask = (index: number) =>
      request(target, "GET", "/v1/models", {
        authorization: `Bearer ${keys[index % keys.length]}`,
      });
    await flood(target, tally, {
      connections: 64,
      milliseconds: length(means),
      request: ask,
      label: "unknown keys",
    });
  },
};

function signInForm(
  target: Means["target"],
  origin: string,
  email: string,
  password: string,
): Buffer {
  const body = new URLSearchParams({ csrfToken: "none", email, password, json: "true" }).toString();
  return Buffer.concat([
    head(target, "POST", "/api/auth/callback/credentials", { origin, ...FORM }, body.length),
    Buffer.from(body),
  ]);
}

export const passwordsFlood: Attack = {
  name: "flood-passwords",
  what: "wrong passwords for one address, for others, and sign-ins without their token",
  async run(means, tally) {
    const { target, origin, email } = means;
    const whose = (index: number) =>
      index % 2 === 0 && email !== null ? email : `stranger-${index}@example.com`;
    const ask = (index: number) =>
      signInForm(target, origin, whose(index), `wrong password ${index}`);
    await flood(target, tally, {
      connections: 32,
      milliseconds: length(means),
      request: ask,
      label: "wrong passwords",
    });
  },
};

export const signUpsFlood: Attack = {
  name: "flood-sign-ups",
  what: "new accounts from one address",
  async run(means, tally) {
    const { target, origin } = means;
    const started = Date.now().toString(36);
    const body = (index: number) => ({
      email: `new-${started}-${index}@example.net`,
      password: "a long enough password",
    });
    const ask = (index: number) => request(target, "POST", "/api/sign-up", { origin }, body(index));
    await flood(target, tally, {
      connections: 32,
      milliseconds: length(means),
      request: ask,
      label: "sign-ups",
    });
  },
};

export const writesFlood: Attack = {
  name: "flood-writes",
  what: "changes on the pages' API by one session, and keys up to their limit",
  async run(means, tally) {
    const { target, origin, sessions } = means;
    const [cookie] = sessions;
    if (cookie === undefined) return;
    const ask = (index: number) =>
      index % 4 === 0
        ? request(target, "POST", "/api/keys", { origin, cookie }, { name: `flood ${index}` })
        : request(target, "PATCH", "/api/profile", { origin, cookie }, { name: `Name ${index}` });
    await flood(target, tally, {
      connections: 16,
      milliseconds: length(means),
      request: ask,
      label: "writes by one session",
      acceptedPerMinuteMax: defaultPageBounds.user.write,
    });
  },
};

export const readsFlood: Attack = {
  name: "flood-reads",
  what: "pages and lists that cost most to make, by one session and by nobody",
  async run(means, tally) {
    const { target, sessions } = means;
    const session: Headers = sessions[0] === undefined ? {} : { cookie: sessions[0] };
    const paths = [
      "/pricing",
      "/docs/api",
      "/openapi.json",
      "/models",
      "/",
      "/api/usage/summary",
      "/api/entries",
      "/api/prices",
    ];
    const requests = paths.map((path) =>
      request(target, "GET", path, path.startsWith("/api/") ? session : {}),
    );
    const ask = (index: number) => requests[index % requests.length] as Buffer;
    await flood(target, tally, {
      connections: 16,
      milliseconds: length(means),
      request: ask,
      label: "reads",
    });
  },
};

export const quotesFlood: Attack = {
  name: "flood-quotes",
  what: "quotes of 64 KiB prompts, which cost no points",
  async run(means, tally) {
    const { target, apiKey } = means;
    const body = {
      endpoint: "createChatCompletion",
      model: "relay-v1",
      messages: [{ role: "user", content: "word ".repeat(13_000) }],
    };
    const bytes = request(target, "POST", "/v1/quote", { authorization: `Bearer ${apiKey}` }, body);
    await flood(target, tally, {
      connections: 32,
      milliseconds: length(means),
      request: () => bytes,
      label: "quotes",
    });
  },
};
