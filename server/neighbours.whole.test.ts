/**
 * The whole product with real neighbours: an S3 server, a mail server, an OpenID provider, Redis and
 * Prometheus. What this machine does not have is skipped by its name.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { z } from "zod";
import { AUTH_PATH } from "@/lib/contract/page-paths";
import {
  bucket,
  missing,
  type Neighbour,
  startIssuer,
  startLimits,
  startMail,
  startPrometheus,
  startStore,
} from "@/testing/neighbours/neighbours";
import { PageVisitor } from "@/testing/neighbours/page-visitor";
import type { Running } from "@/testing/neighbours/program";
import { auditFaults, makeAccount, makeKey } from "@/testing/stage/command-line";
import { freePort } from "@/testing/stage/listen";
import { openStage, type Stage } from "@/testing/stage/stage";
import { newFolder } from "@/testing/unit/new-folder";

const token = "a token for the metrics";
const folder = newFolder("neighbours");
const started: Partial<Record<keyof typeof missing, Neighbour>> = {};
const running: Running[] = [];
let mailPages = "";
let stage: Stage | undefined;
let url = "";
let key = "";

const need = (name: keyof typeof missing, { skip }: Pick<TestContext, "skip">): void => {
  const reason = missing[name]();
  skip(reason !== undefined, reason);
};
function place(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

async function startNeighbours(): Promise<void> {
  if (missing.store() === undefined) started.store = await startStore(place("store"));
  if (missing.issuer() === undefined) started.issuer = await startIssuer(url);
  if (missing.limits() === undefined) started.limits = await startLimits();
  if (missing.mail() !== undefined) return;
  const mail = await startMail(place("mail"));
  started.mail = mail;
  mailPages = mail.pages;
}

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  await startNeighbours();
  running.push(...Object.values(started).map((each) => each.running));
  const all = Object.values(started).map((each) => each.settings);
  const settings = Object.assign({ METRICS_TOKEN: token, RELAY_SANDBOX: "on" }, ...all);
  stage = await openStage({
    settings,
    servers: { served: { settings: { PORT: String(port), PUBLIC_URL: url } } },
  });
  await stage.servers[0]?.start();
  await makeAccount(stage.relay, "neighbours@example.com", 100_000);
  key = (await makeKey(stage.relay, "neighbours@example.com")).secret;
}, 400_000);
afterAll(async () => {
  await stage?.servers[0]?.stop();
  await stage?.close();
  for (const each of running) await each.stop();
});

async function order(path: string, body: object) {
  const answer = await fetch(`${url}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json() };
}
const image = (more: object = {}) =>
  order("/images/generations", { model: "super-relay-img", prompt: "A fox", ...more });
const chat = () =>
  order("/chat/completions", { model: "RelayV1", messages: [{ role: "user", content: "hello" }] });
async function points(): Promise<number> {
  const answer = await fetch(`${url}/v1/balance`, { headers: { authorization: `Bearer ${key}` } });
  return z.object({ available_points: z.number() }).parse(await answer.json()).available_points;
}

test("doctor finds each neighbour in order", async () => {
  const told = JSON.stringify(await stage?.relay("doctor"));
  const names = { store: "S3", mail: "SMTP", issuer: "OIDC", limits: "Redis" } as const;
  for (const [name, word] of Object.entries(names))
    if (name in started) expect(told).toContain(word);
});

test("an S3 server has the results, in whole and in part", async (context) => {
  need("store", context);
  const { status, json } = await image();
  expect([status, json.error]).toEqual([200, undefined]);
  const files = readdirSync(join(folder, "store", bucket));
  expect(files.filter((name) => name.startsWith("media_"))).toHaveLength(1);
  const [{ url: link }] = json.data;
  const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
  expect(whole.subarray(1, 4).toString()).toBe("PNG");
  const part = await fetch(link, { headers: { range: "bytes=10-19" } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true);
  expect((await image({ response_format: "b64_json" })).json.data[0].b64_json).toContain("iVBOR");
});

test("at a frozen store an image fails by its own deadline and costs nothing, and text goes on", async (context) => {
  need("store", context);
  const before = await points();
  started.store?.running.signal("SIGSTOP");
  const since = performance.now();
  const made = image();
  expect((await chat()).status).toBe(200);
  const spent = before - (await points());
  const { status, json } = await made;
  expect([status, json.error?.code]).toEqual([500, "internal_error"]);
  expect(performance.now() - since).toBeLessThan(90_000);
  started.store?.running.signal("SIGCONT");
  const cost = before - (await points());
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(spent);
  // It is asked again every five seconds at most, and one question may still wait for its answer.
  await expect
    .poll(async () => (await image()).status, { timeout: 90_000, interval: 1000 })
    .toBe(200);
}, 300_000);

const mails = z.object({
  messages: z.array(
    z.object({
      ID: z.string(),
      Subject: z.string(),
      To: z.array(z.object({ Address: z.string() })),
    }),
  ),
});
const mailText = z.object({ Text: z.string() });

async function mailTo(address: string) {
  const read = async (path: string) => (await fetch(`${mailPages}/api/v1/${path}`)).json();
  const found = async () =>
    mails.parse(await read("messages")).messages.find(({ To }) => To[0]?.Address === address);
  await expect.poll(found, { timeout: 20_000 }).toBeDefined();
  const id = (await found())?.ID ?? "";
  const headers = z.record(z.string(), z.array(z.string()));
  return {
    text: mailText.parse(await read(`message/${id}`)).Text,
    headers: headers.parse(await read(`message/${id}/headers`)),
  };
}

async function start(visitor: PageVisitor, provider: string, more: Record<string, string> = {}) {
  const csrf = await visitor.visit(`${url}${AUTH_PATH}/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(JSON.parse(csrf.text));
  const form = { csrfToken, callbackUrl: "/points", ...more };
  return visitor.visit(`${url}${AUTH_PATH}/signin/${provider}`, form);
}
async function emailOf(visitor: PageVisitor): Promise<string> {
  const { text } = await visitor.visit(`${url}/api/me`);
  return z.object({ user: z.object({ email: z.string() }) }).parse(JSON.parse(text)).user.email;
}

test("a mail server with a password takes the link that makes an account", async (context) => {
  need("mail", context);
  const visitor = new PageVisitor();
  const email = "new.person@people.example";
  await start(visitor, "email", { email });
  const { text, headers } = await mailTo(email);
  const name = (wanted: string) => headers[wanted]?.[0];
  expect(name("From")).toContain("no-reply@relay.example");
  expect(name("Auto-Submitted")).toBe("auto-generated");
  for (const wanted of ["Date", "Message-Id", "Mime-Version"]) expect(name(wanted)).toBeTruthy();
  const link = /https?:\S+callback\S+/.exec(text)?.[0] ?? "";
  await visitor.visit(link);
  expect(await emailOf(visitor)).toBe(email);
});

test("an OpenID provider signs a new person in, and the same one again", async (context) => {
  need("issuer", context);
  for (let turn = 0; turn < 2; turn++) {
    const visitor = new PageVisitor();
    let page = await start(visitor, "oidc");
    page = await visitor.submit(page, { login: "ada", password: "any" });
    page = await visitor.submit(page, {});
    expect(page.url).toBe(`${url}/points`);
    expect(await emailOf(visitor)).toBe("ada@people.example");
  }
});

const ruled = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })),
      }),
    ),
  }),
});
const exprs = (part: unknown): string[] =>
  Object.entries(z.record(z.string(), z.unknown()).safeParse(part).data ?? {}).flatMap(
    ([name, value]) =>
      name === "expr"
        ? [String(value)]
        : Array.isArray(value)
          ? value.flatMap(exprs)
          : exprs(value),
  );

test("Prometheus reads the metrics, evaluates each alarm, and knows what the dashboard asks for", async (context) => {
  need("prometheus", context);
  const root = join(import.meta.dirname, "..");
  const checked = spawnSync("promtool", ["check", "rules", join(root, "deploy/alarms.yaml")]);
  expect([checked.status, String(checked.stderr)]).toEqual([0, ""]);
  const metrics = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const linted = spawnSync("promtool", ["check", "metrics"], { input: await metrics.text() });
  expect([linted.status, String(linted.stderr)]).toEqual([0, ""]);
  await chat();
  const host = new URL(url).host;
  const prometheus = await startPrometheus(place("prometheus"), { host, token });
  running.push(prometheus.running);
  const ask = async (path: string) => (await fetch(`${prometheus.url}/api/v1/${path}`)).json();
  const query = async (text: string) => ask(`query?query=${encodeURIComponent(text)}`);
  await expect
    .poll(async () => (await query("up")).data?.result?.[0]?.value?.[1], { timeout: 30_000 })
    .toBe("1");
  const rules = async () =>
    ruled.parse(await ask("rules")).data.groups.flatMap((group) => group.rules);
  await expect
    .poll(async () => new Set((await rules()).map(({ health }) => health)), { timeout: 60_000 })
    .toEqual(new Set(["ok"]));
  // A second scrape, for what needs two.
  await expect
    .poll(async () => (await query("count_over_time(up[1m])")).data.result[0]?.value[1] > 2, {
      timeout: 30_000,
    })
    .toBe(true);
  expect((await rules()).filter(({ state }) => state !== "inactive")).toEqual([]);
  const dashboard = readFileSync(join(root, "deploy/grafana-dashboard.json"), "utf8");
  for (const expr of exprs(JSON.parse(dashboard))) {
    const { status, data } = await query(expr.replaceAll("$__rate_interval", "1m"));
    expect([expr, status, data?.resultType]).toEqual([expr, "success", "vector"]);
  }
}, 200_000);

test("the ledger is right after all of it", async () => {
  if (stage === undefined) throw new Error("nothing was started");
  expect(await auditFaults(stage.relay)).toEqual([]);
});
