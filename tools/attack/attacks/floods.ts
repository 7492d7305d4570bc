/**
 * As many small requests as one address can send. Bound: 20 s each (brief: 2 s) over at most 64
 * connections.
 */
import { makeKeyText } from "@/lib/accounts/key-text";
import { defaultPageBounds } from "@/lib/limits/page-limiter";
import type { Attack, Means } from "../attack";
import { type Flood, flood } from "../flood";
import { type Headers, head, request } from "../requests";

const FORM: Headers = { "content-type": "application/x-www-form-urlencoded" };

type Ask = Flood["request"];

/** An attack by as many requests as one address can send; none where `asking` finds no means. */
const flooding = (
  name: string,
  what: string,
  options: Pick<Flood, "connections" | "label" | "acceptedPerMinuteMax">,
  asking: (means: Means) => Ask | null,
): Attack => ({
  name,
  what,
  async run(means, tally) {
    const request = asking(means);
    const milliseconds = means.isBrief ? 2_000 : 20_000;
    const { target, processes } = means;
    if (request) await flood(target, tally, { ...options, processes, milliseconds, request });
  },
});

/** Created before the flood, so that computing checksums does not slow it down. */
function unknownKeys(count: number): string[] {
  return Array.from({ length: count }, makeKeyText);
}

export const unknownKeysFlood = flooding(
  "flood-unknown-keys",
  "keys that look right and were never made, each another one",
  { connections: 64, label: "unknown keys" },
  ({ target, isBrief }) => {
    const keys = unknownKeys(isBrief ? 10_000 : 100_000);
    return (index: number) =>
      request(target, "GET", "/v1/models", {
        authorization: `Bearer ${keys[index % keys.length]}`,
      });
  },
);

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

export const passwordsFlood = flooding(
  "flood-passwords",
  "wrong passwords for one address, for others, and sign-ins without their token",
  { connections: 32, label: "wrong passwords" },
  ({ target, origin, email }) => {
    const whose = (index: number) =>
      index % 2 === 0 && email !== null ? email : `stranger-${index}@example.com`;
    return (index: number) => signInForm(target, origin, whose(index), `wrong password ${index}`);
  },
);

export const signUpsFlood = flooding(
  "flood-sign-ups",
  "new accounts from one address",
  { connections: 32, label: "sign-ups" },
  ({ target, origin }) => {
    const started = Date.now().toString(36);
    const body = (index: number) => ({
      email: `new-${started}-${index}@example.net`,
      password: "a long enough password",
    });
    return (index: number) => request(target, "POST", "/api/sign-up", { origin }, body(index));
  },
);

export const writesFlood = flooding(
  "flood-writes",
  "changes on the pages' API by one session, and keys up to their limit",
  {
    connections: 16,
    label: "writes by one session",
    acceptedPerMinuteMax: defaultPageBounds.user.write,
  },
  ({ target, origin, sessions }) => {
    const [cookie] = sessions;
    if (cookie === undefined) return null;
    return (index: number) =>
      index % 4 === 0
        ? request(target, "POST", "/api/keys", { origin, cookie }, { name: `flood ${index}` })
        : request(target, "PATCH", "/api/profile", { origin, cookie }, { name: `Name ${index}` });
  },
);

export const readsFlood = flooding(
  "flood-reads",
  "pages and lists that cost most to make, by one session and by nobody",
  { connections: 16, label: "reads" },
  ({ target, sessions }) => {
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
    return (index: number) => requests[index % requests.length] as Buffer;
  },
);

export const quotesFlood = flooding(
  "flood-quotes",
  "quotes of 64 KiB prompts, which cost no points",
  { connections: 32, label: "quotes" },
  ({ target, apiKey }) => {
    const body = {
      endpoint: "createChatCompletion",
      model: "relay-v1",
      messages: [{ role: "user", content: "word ".repeat(13_000) }],
    };
    const bytes = request(target, "POST", "/v1/quote", { authorization: `Bearer ${apiKey}` }, body);
    return () => bytes;
  },
);
