import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, settingsSchema } from "./settings";

test("absent settings have their documented defaults", () => {
  expect(readSettings({})).toMatchObject({
    PORT: 3000,
    HOST: "127.0.0.1",
    RELAY_SANDBOX: "auto",
    publicUrl: "http://localhost:3000",
  });
});

test.each([
  [{ PORT: "70000" }, /PORT=70000/],
  [
    { DATABASE_URL: "mysql://x" },
    /DATABASE_URL=mysql:\/\/… .*must be a URL that starts with postgres/,
  ],
  [{ RELAY_WELCOME_POINTS: "-1" }, /RELAY_WELCOME_POINTS/],
  [{ GITHUB_ID: "a" }, /GITHUB_ID and GITHUB_SECRET/],
  [
    { S3_BUCKET: "results", S3_ENDPOINT: "https://s3.example" },
    /S3_ENDPOINT, S3_BUCKET, .* belong together/,
  ],
  [{ OIDC_ISSUER: "https://id.example" }, /OIDC_ISSUER, OIDC_CLIENT_ID, .* belong together/],
  [{ OIDC_ISSUER: "http://id.example" }, /OIDC_ISSUER=http:\/\/… .*https/],
  [
    { STRIPE_SECRET_KEY: "sk_live_x" },
    /STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together/,
  ],
  [
    { STRIPE_SECRET_KEY: "sk_live_x", STRIPE_WEBHOOK_SECRET: "" },
    /STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together/,
  ],
  [
    { STRIPE_SECRET_KEY: "sk_live_x", STRIPE_WEBHOOK_SECRET: "short" },
    /STRIPE_WEBHOOK_SECRET=… .*16 characters/,
  ],
  [{ S3_BUCKET: "a/b" }, /S3_BUCKET=a\/b/],
])("an invalid setting is named in one line: %j", (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});

/** A value of each setting that it refuses, with a secret in it. */
const secretWord = "hunter2";
const wrongValues = [
  `postgres://relay:${secretWord}/${secretWord}@db/relay`,
  `postgres://relay:${secretWord}#${secretWord}@db/relay`,
  `postgres://relay:${secretWord}%${secretWord}@db/relay`,
  `postgres://relay:${secretWord}@db:port/relay`,
  `redis://:${secretWord}#${secretWord}@cache:6379`,
  `redis://:${secretWord}@cache:port`,
  `smtp://user:${secretWord}/${secretWord}@mail`,
  `smtp://user:${secretWord}@`,
  `smtps://user:${secretWord}@mail:99999`,
  `https://${secretWord}@:x`,
  `authorization=Bearer ${secretWord}`,
  `${secretWord}@x`,
  // In a query, a path or a fragment.
  ...["postgres", "redis", "rediss", "smtp", "smtps", "https", "http", "ftp"].flatMap((scheme) => [
    `${scheme}://place:port/?password=${secretWord}`,
    `${scheme}://place:99999/path?key=${secretWord}#${secretWord}`,
    `${scheme}://place/db?host=a&port=${secretWord}`,
    `${scheme}://a,b:${secretWord}/db`,
    `${scheme}://place/${secretWord}?x=%${secretWord}`,
    `${scheme}:${secretWord}`,
    `${scheme}://place/db?target_session_attrs=${secretWord}`,
    `${scheme}://[${secretWord}]/db?sslpassword=${secretWord}`,
  ]),
  secretWord.repeat(2000),
];
const leaks = (error: unknown) => String(error).includes(secretWord);

test.each(
  Object.keys(settingsSchema.shape).filter((name) =>
    /_URL$|SECRET|TOKEN|KEY|ENDPOINT|HEADERS|ISSUER|BASE|FROM|_ID$|CONTACT/.test(name),
  ),
)("an error about %s shows nothing of a value that may be secret", (name) => {
  for (const value of wrongValues) {
    try {
      readSettings({ [name]: value });
    } catch (error) {
      expect(leaks(error), String(error)).toBe(false);
      expect(String(error)).toContain(name);
    }
  }
});

test.each([
  [{ REDIS_URL: "redis://:a#b@cache:6379" }, "each of / ? # @ % must be written as"],
  [{ SMTP_URL: "smtp://user:a/b@mail" }, "each of / ? # @ % must be written as"],
  [
    { SMTP_URL: "mail.example.com" },
    "SMTP_URL=… cannot be used: must be a URL that starts with smtp://",
  ],
  [{ DATABASE_URL: "postgres://relay:a/b@db/relay" }, "each of / ? # @ % must be written as"],
  [
    { DATABASE_URL: "postgres://u:p@a,b:5433/db?target_session_attrs=standby" },
    "has a target_session_attrs that is not one of any, read-write, primary",
  ],
])("a URL that cannot be read is refused with its own reason: %j", (environment, reason) => {
  expect(() => readSettings(environment)).toThrow(reason);
});

test("a value with a line break inside is refused, since others would show it", () => {
  const anything = ["RELAY_SECRET", "RELAY_SECRET_PREVIOUS"];
  for (const name of Object.keys(settingsSchema.shape).filter((each) => !anything.includes(each)))
    for (const text of ["sk_live_\nhidden", "sk_live_\u0000hidden"])
      expect(() => readSettings({ [name]: text }), name).toThrow(`${name}=`);
  const STRIPE = { STRIPE_WEBHOOK_SECRET: "whsec_0123456789" };
  const key = "sk_live_1\nhidden";
  expect(() => readSettings({ ...STRIPE, STRIPE_SECRET_KEY: key })).toThrow(
    "STRIPE_SECRET_KEY=… cannot be used: must be one line, without control characters",
  );
  expect(readSettings({ SMTP_FROM: "a@b.example\n" }).SMTP_FROM).toBe("a@b.example\n");
});

test("an address whose service takes no user from it has none", () => {
  for (const name of ["PUBLIC_URL", "S3_ENDPOINT", "STRIPE_API_BASE", "OIDC_ISSUER"]) {
    const read = (place: string) => () => readSettings({ [name]: `https://${place}` });
    expect(read("user:hidden@place/path"), name).toThrow(`${name}=https://… cannot be used`);
    expect(read("user@place"), name).toThrow(`${name}=https://… cannot be used`);
  }
  const PUBLIC_URL = "https://place/a@b";
  expect(readSettings({ PUBLIC_URL }).PUBLIC_URL).toBe(PUBLIC_URL);
});

test("a database may have several hosts", () => {
  const DATABASE_URL = "postgresql://u:p@a,b:5433/db?target_session_attrs=read-write";
  expect(readSettings({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});

test(".env.example lists every setting with its default", () => {
  const text = readFileSync(join(import.meta.dirname, "../../.env.example"), "utf8");
  const listed = Object.fromEntries(
    [...text.matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value || undefined,
    ]),
  );
  const defaults = settingsSchema.parse({}) as Record<string, unknown>;
  const wanted = Object.keys(settingsSchema.shape).map((name) => [
    name,
    defaults[name] === undefined ? undefined : String(defaults[name]),
  ]);
  expect(listed).toEqual(Object.fromEntries(wanted));
});
