import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createSecure } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { connect } from "@/testing/ledger/test-ledger";
import { startS3Server } from "@/testing/media/s3-server";
import { selfSigned } from "@/testing/stage/certificate";
import { listen } from "@/testing/stage/listen";
import { newFolder } from "@/testing/unit/new-folder";
import { readSettings } from "../settings/settings";
import { found, good } from "./check";
import { checkAll } from "./check-all";
import { checkNeighbours } from "./neighbours";

const root = join(import.meta.dirname, "../..");
const RELAY_DATA_DIR = newFolder("doctor");
const stateOf = (checks: readonly { name: string; state: string }[]) =>
  Object.fromEntries(checks.map(({ name, state }) => [name, state]));
const inTest = <T extends { close(): unknown }>(opened: T): T => {
  onTestFinished(() => void opened.close());
  return opened;
};

test("settings, machine, database and what is strange in it are told in words", async () => {
  const DATABASE_URL = await createTestDatabase();
  const settings = readSettings({
    DATABASE_URL,
    RELAY_DATA_DIR,
    PUBLIC_URL: "http://relay.example",
  });
  const checks = await checkAll(settings, { DATABASE_URL }, root);
  expect(stateOf(checks)).toEqual({
    settings: "good",
    PUBLIC_URL: "note",
    RELAY_SECRET: "note",
    "data folder": "good",
    disk: expect.stringMatching(/good|bad/),
    database: "good",
    clock: "good",
    role: "good",
    migrations: "good",
    standby: "note",
    pooler: "good",
    strange: "good",
  });
  expect(JSON.stringify(checks)).not.toContain(new URL(DATABASE_URL).password);
  const owner = await connect(DATABASE_URL);
  await owner.query("create procedure drive() language sql as 'select 1'");
  await owner.query(
    "delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations)",
  );
  await owner.end();
  const after = await checkAll(settings, {}, root);
  expect(after.find(({ name }) => name === "strange")?.text).toContain("procedure drive()");
  expect(after.find(({ name }) => name === "migrations")).toMatchObject({ state: "bad" });
});

test("each service that is set is asked as the product asks it, and one that is wrong is named with its reason", async () => {
  const s3 = inTest(await startS3Server());
  const web = inTest(
    await listen(
      createHttp((request, response) => {
        const { origin } = web;
        if (request.url === "/.well-known/openid-configuration")
          response.end(JSON.stringify({ issuer: origin }));
        else if (request.url === "/v1/balance")
          response.writeHead(request.headers.authorization === "Bearer good" ? 200 : 401).end();
        else response.writeHead(404).end();
      }),
    ),
  );
  const settingsOf = (secret: string, key: string, issuer: string) =>
    readSettings({
      S3_ENDPOINT: s3.settings.endpoint,
      S3_BUCKET: s3.settings.bucket,
      S3_REGION: s3.settings.region,
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: secret,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "a",
      OIDC_CLIENT_SECRET: "b",
      STRIPE_SECRET_KEY: key,
      STRIPE_WEBHOOK_SECRET: "whsec_0123456789abcdef",
      STRIPE_API_BASE: web.origin,
      REDIS_URL: "redis://:hidden@127.0.0.1:1",
      SMTP_URL: "smtp://user:hidden@127.0.0.1:1",
    });
  const issuer = web.origin.replace("127.0.0.1", "localhost");
  const right = await checkNeighbours(settingsOf("store-secret", "good", web.origin));
  expect(stateOf(right)).toEqual({
    S3: "good",
    OIDC: "good",
    Stripe: "good",
    Redis: "bad",
    SMTP: "bad",
  });
  expect(s3.objects.size).toBe(0);
  const wrong = await checkNeighbours(settingsOf("another", "other", issuer));
  expect(stateOf(wrong)).toEqual({
    S3: "bad",
    OIDC: "bad",
    Stripe: "bad",
    Redis: "bad",
    SMTP: "bad",
  });
  const texts = wrong.map(({ text }) => text).join("\n");
  for (const reason of ["403", "calls itself", "STRIPE_SECRET_KEY is refused", "ECONNREFUSED"])
    expect(texts).toContain(reason);
  expect(texts).not.toContain("hidden");
});

test("a service that takes the connection and says nothing is bad after its time", async () => {
  const silent = inTest(await listen(createServer(() => {}) as never));
  const asked = await found("x", () => fetch(silent.origin).then(() => good("x", "")), 200);
  expect(asked).toEqual([{ name: "x", state: "bad", text: "gave no answer within 0.2 s" }]);
});

/** All of these are secret. */
const hidden = "hidden-hidden-hidden";
const allAt = (port: number, isSecure: boolean) => {
  const s = isSecure ? "s" : "";
  return readSettings({
    S3_ENDPOINT: `http${s}://127.0.0.1:${port}`,
    S3_BUCKET: "bucket",
    S3_ACCESS_KEY_ID: hidden,
    S3_SECRET_ACCESS_KEY: hidden,
    OIDC_ISSUER: `http${s}://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: "a",
    OIDC_CLIENT_SECRET: hidden,
    STRIPE_SECRET_KEY: hidden,
    STRIPE_WEBHOOK_SECRET: hidden,
    STRIPE_API_BASE: `http${s}://127.0.0.1:${port}`,
    REDIS_URL: `redis${s}://:${hidden}@127.0.0.1:${port}`,
    SMTP_URL: `smtp${s}://user:${hidden}@127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http${s}://user:${hidden}@127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${hidden}`,
  });
};
const bad = "bad";
const allBad = { S3: bad, OIDC: bad, Stripe: bad, Redis: bad, SMTP: bad, traces: bad };
const conducts: readonly (readonly [string, (socket: Socket) => unknown])[] = [
  ["closes each connection", (socket) => socket.destroy()],
  ["answers and closes", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{")],
  [
    "sends answers without a question",
    (socket) => socket.write("+PONG -ERR 220 {}\r\n".repeat(20)),
  ],
  ["is silent", () => {}],
];
// The last ones take their time.
test.for(conducts.slice(0, extent(2, conducts.length)))(
  "a place that %s is bad as every service, within its time, and nothing secret is shown",
  { timeout: 60_000 },
  async ([, conduct]) => {
    const place = inTest(
      await listen(createServer((socket) => conduct(socket.on("error", () => {})))),
    );
    for (const isSecure of [false, true]) {
      const checks = await checkNeighbours(allAt(place.port, isSecure));
      expect(stateOf(checks)).toEqual(allBad);
      expect(JSON.stringify(checks)).not.toContain("hidden");
    }
  },
);

test("a certificate that cannot be verified is named for every service, and nothing is sent to it", async () => {
  const files = selfSigned(RELAY_DATA_DIR);
  let sent = "";
  const [key, cert] = [readFileSync(files.key), readFileSync(files.cert)];
  const server = createSecure({ key, cert }, (socket) =>
    socket
      .on("error", () => {})
      .on("data", (part) => {
        sent += part;
      }),
  );
  const place = inTest(await listen(server));
  const checks = await checkNeighbours(allAt(place.port, true));
  expect(stateOf(checks)).toEqual(allBad);
  for (const { name, text } of checks)
    expect([name, text]).toEqual([name, expect.stringMatching(/self[- ]signed certificate/)]);
  expect(sent).toBe("");
}, 60_000);
