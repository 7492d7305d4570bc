/** The built product in two workers: one port, exact limits, and nothing lost when one of them ends. */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pause } from "@/lib/timing/pause";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import { words } from "@/testing/cli/words";
import { answersIn, countersOf, fallen } from "@/testing/cluster/readings";
import { pngOf } from "@/testing/media/files";
import { buildProduct, dataFolder, endProducts, startProduct } from "@/testing/product/product";
import type { Product } from "@/testing/stage/product";
import {
  chunk,
  completion,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";

const person = ["--email", "cluster@example.com"];
const CHUNKS = 10;
const METRICS_TOKEN = "cluster-metrics-token";
let commands: TestCommands;
let upstream: TestUpstream;
let database: pg.Pool;
let product: Product;
let address: string;
let secret: string;
/** The streams that the upstream has begun and keeps open, each with what ends it. */
const begun: (() => void)[] = [];
const endStreams = () => {
  for (const end of begun.splice(0)) end();
};
/** A key with 60 requests a minute. */
let limited: string;
const logged: Buffer[] = [];
const picture = pngOf(512, 512);
const imageAnswer = JSON.stringify({
  ...{ created: 1, model: "image", usage: { input_tokens: 1, output_tokens: 1024 } },
  data: [{ b64_json: picture.toString("base64") }],
});

const newKey = async (name: string, rpm: string): Promise<string> =>
  (await commands.json("key create", ...person, "--name", name, "--rpm", rpm)).secret;

beforeAll(async () => {
  buildProduct();
  commands = await openTestCommands();
  upstream = await startUpstream(async (response, { body }) => {
    if (body.model === "image") return sendJson(response, imageAnswer);
    if (body.model === "blind") return sendJson(response, completion("Hello", { usage: null }));
    if (body.stream !== true)
      return sendJson(response, completion("Hello", { usage: usageOf(10, 5) }));
    response.writeHead(200, streamType);
    for (let sent = 0; sent < CHUNKS; sent++) response.write(chunk({ content: `word ${sent} ` }));
    await new Promise<void>((resolve) => begun.push(resolve));
    response.end(`${chunk({}, {}, "stop")}${usageChunk(usageOf(10, CHUNKS))}data: [DONE]\n\n`);
  });
  const { DATABASE_URL = "", RELAY_SECRET = "" } = commands.environment;
  database = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
  const account = ["account", "create", ...person, "--points", "1000000"];
  await commands.json(...account, "--password", "correct horse battery");
  [secret, limited] = [await newKey("free", "1000000"), await newKey("limited", "60")];
  await commands.json(
    ...words`channel create --name test --protocol openai --base-url ${upstream.url}`,
    ...["--api-key", "x", "--models", "RelayV1=any,super-relay-img=image"],
    ...["--rps", "0", "--rpm", "0"],
  );
  product = startProduct({
    ...{ DATABASE_URL, RELAY_SECRET, METRICS_TOKEN },
    RELAY_SANDBOX: "off",
    RELAY_LOG_LEVEL: "debug",
    RELAY_PROCESSES: "2",
    RELAY_DATA_DIR: dataFolder(),
  });
  product.process.stderr?.on("data", (part: Buffer) => logged.push(part));
  address = await product.address;
}, 300_000);
afterAll(async () => {
  await endProducts();
  await database.end();
  await upstream.close();
  await commands.close();
});

function workers(): number[] {
  const { pid } = product.process;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .map(Number)
    .filter(Boolean);
}

interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
  readonly isWhole: boolean;
}

async function chat(key: string, stream = false): Promise<Answer> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "RelayV1",
      // Each begins a conversation of its own, so that each channel gets some.
      messages: [{ role: "user", content: `Hello ${randomUUID()}` }],
      max_tokens: 100,
      stream,
    }),
  });
  const requestId = response.headers.get("x-request-id") ?? "";
  const read = await response.text().catch(() => "");
  const isWhole = response.ok && (!stream || read.trimEnd().endsWith("data: [DONE]"));
  return { status: response.status, requestId, text: read, isWhole };
}

const charged = async (): Promise<Set<string>> =>
  new Set(
    (
      await database.query<{ id: string }>(
        "select request_id as id from request where outcome = 'settled'",
      )
    ).rows.map(({ id }) => id),
  );

async function metrics(): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const signal = AbortSignal.timeout(5000);
  const response = await fetch(`${address}/metrics`, { headers, signal });
  return response.ok ? response.text() : Promise.reject(new Error(`${response.status}`));
}

async function metric(name: string): Promise<number> {
  const lines = (await metrics()).split("\n").filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

test("two workers serve one port, and their requests are in one sum of the metrics", async () => {
  expect(workers()).toHaveLength(2);
  expect(product.output.text.match(/serves on|Warning/g)).toEqual(["serves on"]);
  const answered = 'relay_requests_total{endpoint="createChatCompletion",status="200"}';
  const before = await metric("relay_points_settled_total");
  const answers = await Promise.all(Array.from({ length: 40 }, () => chat(secret)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const sums = [await metric(answered), await metric(answered), await metric(answered)];
  expect([sums, await metric("relay_workers ")], product.output.text).toEqual([[40, 40, 40], 2]);
  expect(await metric("relay_points_settled_total")).toBeGreaterThan(before);
});

test("an image that one worker made is served by the other, and each log line names its worker", async () => {
  const order = await fetch(`${address}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox in snow", size: "512x512" }),
  });
  const made = await order.json();
  expect([order.status, made.data?.length], JSON.stringify(made)).toEqual([200, 1]);
  // New connections go to the workers in turn.
  const files = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const file = await fetch(made.data[0].url);
      const isWhole = picture.equals(Buffer.from(await file.arrayBuffer()));
      return { status: file.status, isWhole, requestId: file.headers.get("x-request-id") };
    }),
  );
  expect(files.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([]);
  const answers = () => answersIn(Buffer.concat(logged).toString());
  const of = (wanted: string) => answers().filter(({ endpoint }) => endpoint === wanted);
  await expect.poll(() => of("getMedia").length).toBe(files.length);
  const [maker] = of("createImage");
  const servers = new Set(of("getMedia").map(({ worker }) => worker));
  expect(maker?.requestId).toBe(order.headers.get("x-request-id"));
  expect([...servers].sort()).toEqual([1, 2]);
  expect(answers().filter(({ worker }) => worker !== 1 && worker !== 2)).toEqual([]);
});

test("sixty requests a minute stay sixty, whichever worker they reach", async () => {
  const answers = await Promise.all(Array.from({ length: 150 }, () => chat(limited)));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  expect([count(200), count(429)]).toEqual([60, 90]);
});

test("kill -9 of a worker ends only its own streams, and every whole answer is charged once", async () => {
  const running = Array.from({ length: 50 }, () => chat(secret, true));
  await expect.poll(() => begun.length, { timeout: 30_000 }).toBe(running.length);
  const { rows } = await database.query<{ request: string; node: string }>(
    "select request_id as request, node_id as node from open_request",
  );
  const nodes = [...new Set(rows.map(({ node }) => node))];
  const [killed = 0] = workers();
  const before = countersOf(await metrics());
  process.kill(killed, "SIGKILL");
  const killedAt = Date.now();
  const falls = new Set<string>();
  let readings = 0;
  const watching = (async () => {
    for (let tries = 0; tries < 40; tries++) {
      // A connection that the killed worker had, or was just given, brings nothing.
      const text = await metrics().catch(() => null);
      if (text === null) continue;
      readings++;
      for (const name of fallen(before, countersOf(text))) falls.add(name);
    }
  })();
  endStreams();
  const answers = await Promise.all(running);
  const whole = answers.filter(({ isWhole }) => isWhole);
  expect([rows.length, nodes.length]).toEqual([50, 2]);
  const wholeOf = (node: string) => {
    const own = new Set(rows.filter((row) => row.node === node).map(({ request }) => request));
    const ended = whole.filter(({ requestId }) => own.has(requestId)).length;
    return ended === own.size ? "all" : ended;
  };
  expect(nodes.map(wholeOf).sort()).toEqual([0, "all"]);
  const openNow = async () =>
    (await database.query<{ open: number }>("select count(*)::int as open from open_request"))
      .rows[0]?.open;
  await expect.poll(openNow, { timeout: 12_000 }).toBe(0);
  // The lease of a process lasts 15 seconds; the others did not wait for it.
  expect(Date.now() - killedAt).toBeLessThan(12_000);
  const ids = await charged();
  expect(whole.filter(({ requestId }) => !ids.has(requestId))).toEqual([]);
  await expect.poll(() => workers().length, { timeout: 20_000 }).toBe(2);
  expect(workers()).not.toContain(killed);
  await expect.poll(() => metric("relay_workers "), { timeout: 20_000 }).toBe(2);
  expect(await metric("relay_workers_replaced_total")).toBe(1);
  await watching;
  expect(readings).toBeGreaterThan(20);
  expect(fallen(before, countersOf(await metrics()))).toEqual([]);
  expect(before.size).toBeGreaterThan(50);
  expect([...falls]).toEqual([]);
  expect((await commands.json("ledger audit")).ok).toBe(true);
}, 90_000);

test("a rolling restart under load replaces every worker, fails no request, and leaves a resting channel at rest", async () => {
  const before = workers();
  await commands.json(
    ...words`channel create --name blind --protocol openai --base-url ${upstream.url}`,
    ...["--api-key", "x", "--models", "RelayV1=blind", "--rps", "0", "--rpm", "0"],
  );
  const resting = async () => {
    await chat(secret);
    return metric("relay_channel_resting");
  };
  await expect.poll(resting, { timeout: 30_000 }).toBe(1);
  let isOver = false;
  const keepAsking = async (): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (; !isOver; await pause(100)) answers.push(await chat(secret));
    return answers;
  };
  const callers = Array.from({ length: 3 }, keepAsking);
  const streams = Array.from({ length: 20 }, () => chat(secret, true));
  await expect.poll(() => begun.length, { timeout: 30_000 }).toBe(streams.length);
  product.process.kill("SIGHUP");
  // The old workers end the streams that they serve.
  const isReplacing = () => workers().some((pid) => !before.includes(pid));
  await expect.poll(isReplacing, { timeout: 60_000 }).toBe(true);
  endStreams();
  const hasRestarted = () => product.output.text.includes("all workers were restarted");
  await expect.poll(hasRestarted, { timeout: 60_000 }).toBe(true);
  isOver = true;
  const answers = (await Promise.all([...callers, Promise.all(streams)])).flat();
  expect(answers.length).toBeGreaterThan(2 * streams.length);
  expect(answers.filter(({ isWhole }) => !isWhole)).toEqual([]);
  await expect.poll(() => workers().length, { timeout: 30_000 }).toBe(2);
  expect(workers().filter((pid) => before.includes(pid))).toEqual([]);
  const ids = await charged();
  expect(answers.filter(({ requestId }) => !ids.has(requestId))).toEqual([]);
  await expect.poll(() => metric("relay_workers "), { timeout: 30_000 }).toBe(2);
  expect(await metric("relay_channel_resting")).toBe(1);
}, 180_000);

test("SIGTERM ends the streams of all workers whole, and leaves no process", async () => {
  const streams = Array.from({ length: 10 }, () => chat(secret, true));
  await expect.poll(() => begun.length, { timeout: 20_000 }).toBe(streams.length);
  const before = workers();
  product.process.kill("SIGTERM");
  const isStopping = () => product.output.text.includes("Stopping");
  await expect.poll(isStopping, { timeout: 20_000 }).toBe(true);
  endStreams();
  expect((await Promise.all(streams)).map(({ isWhole }) => isWhole)).toEqual(
    streams.map(() => true),
  );
  expect(await product.exitCode).toBe(0);
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow();
}, 60_000);
