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
  [{ DATABASE_URL: "mysql://x" }, /DATABASE_URL=mysql:\/\/x .*postgres/],
  [{ RELAY_WELCOME_POINTS: "-1" }, /RELAY_WELCOME_POINTS/],
  [{ GITHUB_ID: "a" }, /GITHUB_ID and GITHUB_SECRET/],
  [
    { S3_BUCKET: "results", S3_ENDPOINT: "https://s3.example" },
    /S3_ENDPOINT, S3_BUCKET, .* belong together/,
  ],
  [{ OIDC_ISSUER: "https://id.example" }, /OIDC_ISSUER, OIDC_CLIENT_ID, .* belong together/],
  [{ OIDC_ISSUER: "http://id.example" }, /OIDC_ISSUER=http:\/\/id.example .*https/],
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

test(".env.example lists every setting with its default", () => {
  const text = readFileSync(join(import.meta.dirname, "../.env.example"), "utf8");
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
