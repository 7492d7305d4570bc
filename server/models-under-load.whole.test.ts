/**
 * Models are changed, priced anew, retired and offered again while two processes of the built product
 * serve orders without a pause, and one of them is killed in between: no order is lost, and each is
 * billed by what it was held under.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "@/lib/sandbox/sandbox";
import { pause } from "@/lib/timing/pause";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import {
  IMAGE,
  type Kind,
  kinds,
  models,
  orders,
  TEXT,
  VIDEO,
} from "@/testing/product/model-orders";
import { buildProduct, dataFolder, endProducts, startProduct } from "@/testing/product/product";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import type { Product } from "@/testing/stage/product";
import { newFolder } from "@/testing/unit/new-folder";

const folder = newFolder("models-load");
/** Points of the last of the prices that follow each other. */
const LAST_PRICE = 8;
const person = ["--email", "new@example.com"];
let commands: TestCommands;
let sandbox: Sandbox;
let database: pg.Pool;
let secret: string;
/** The first is killed, and started again over the same folder. */
const servers: { readonly folder: string; product: Product; address: string }[] = [];

/** Points for a request, a second or an image, by the price version. */
const pointsOf = new Map<string, number>();
/** The seconds that a version of the video model allows, by its id. */
const secondsOf = new Map<string, number>();

const newest = async (table: "price_version" | "model_version", model: string) => {
  const column = table === "price_version" ? "model" : "model_id";
  const text = `select max(id)::text as id from ${table} where ${column} = $1`;
  return (await database.query<{ id: string }>(text, [model])).rows[0]?.id ?? "";
};

/** Creates or changes a model: `points` for one of its unit, and another limit each time. */
async function write(how: "create" | "change", model: string, points: number): Promise<void> {
  const [seconds, size] = points % 2 === 0 ? [4, "512x512"] : [8, "768x512"];
  const files: Record<string, object> = {
    [TEXT]: {
      family: "text",
      spec: { output_tokens_max: 1000 + points },
      rates: [{ unit: "request", points }],
    },
    [VIDEO]: {
      family: "video",
      spec: { durations: [seconds], resolutions: ["480p"], ratios: ["16:9"] },
      rates: [{ unit: "second", points }],
    },
    [IMAGE]: { family: "image", spec: { sizes: [size] }, rates: [{ unit: "image", size, points }] },
  };
  const from = join(folder, `${model}.json`);
  writeFileSync(from, JSON.stringify({ id: model, ...files[model] }));
  const named = how === "change" ? ["--id", model] : [];
  await commands.json("model", how, ...named, "--from", from);
  pointsOf.set(await newest("price_version", model), points);
  if (model === VIDEO) secondsOf.set(await newest("model_version", model), seconds);
}

async function offer(model: string, upstream: string): Promise<void> {
  const { baseUrl, apiKey } = sandbox.channel;
  const { channel } = await commands.json(
    ...["channel", "create", "--name", model, "--protocol", "ark", "--base-url", baseUrl],
    ...["--api-key", apiKey ?? "", "--rps", "1000", "--rpm", "60000"],
    // On a busy machine drawing takes long, and no order may be lost for that.
    ...["--models", `${model}=${upstream}`, "--timeout-seconds", "600"],
  );
  await commands.relay("channel test --id", channel.id, "--model", model, "--real");
  await commands.json("model offer --id", model);
}

const start = (data: string): Product => {
  const { DATABASE_URL = "", RELAY_SECRET = "" } = commands.environment;
  const settings = { DATABASE_URL, RELAY_SECRET, RELAY_SANDBOX: "off" };
  return startProduct({ ...settings, RELAY_DATA_DIR: data });
};

beforeAll(async () => {
  buildProduct();
  commands = await openTestCommands();
  sandbox = await startQuickSandbox(0.5);
  const { DATABASE_URL = "" } = commands.environment;
  database = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
  const account = ["account", "create", ...person, "--points", "1000000"];
  await commands.json(...account, "--password", "correct horse battery");
  secret = (await commands.json("key create", ...person, "--name", "one")).secret;
  await database.query("update api_key set requests_per_minute = 100000");
  for (const model of models) await write("create", model, 2);
  await offer(TEXT, "sandbox-relay-v1");
  await offer(VIDEO, "sandbox-super-relay-fast");
  await offer(IMAGE, "another-image");
  for (const data of [dataFolder(), dataFolder()]) {
    const product = start(data);
    servers.push({ folder: data, product, address: await product.address });
  }
}, 300_000);
afterAll(async () => {
  await endProducts();
  await database.end();
  await sandbox.close();
  await commands.close();
});

interface Answer {
  readonly status: number;
  readonly model: string;
  /** Why it was refused. */
  readonly code: string | undefined;
  readonly requestId: string;
  readonly points: string | null;
}
/** What a client has of an order whose process was killed. */
const lost: Answer = { status: 0, model: "", code: undefined, requestId: "", points: null };

async function post(address: string, path: string, body: { model: string }): Promise<Answer> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    model: body.model,
    code: response.ok ? undefined : JSON.parse(text).error.code,
    requestId: response.headers.get("x-request-id") ?? "",
    points: response.headers.get("x-relay-points"),
  };
}

/** The answers so far, of all clients. */
const given: Answer[] = [];
/** An accepted order has no code. */
const countOf = (wanted: string, code?: string) =>
  given.filter((answer) => answer.model === wanted && answer.code === code).length;

/** Until every model has been ordered `more` times than now, or refused so, whatever the speed. */
async function waitForOrders(more: number, code?: string): Promise<void> {
  const counts = models.map((model) => [model, countOf(model, code) + more] as const);
  for (const [model, count] of counts)
    await expect
      .poll(() => countOf(model, code), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(count);
}

async function openVideos(): Promise<number> {
  const text = "select count(*)::int as open from open_request where model = $1";
  return (await database.query<{ open: number }>(text, [VIDEO])).rows[0]?.open ?? 0;
}

/** Orders by one client, one after the other, until `isOver`. */
async function keepOrdering(
  server: { readonly address: string },
  kind: Kind,
  isOver: () => boolean,
): Promise<void> {
  for (let sent = 0; !isOver() && sent < 5000; sent++) {
    const [path, body] = orders[kind](sent);
    const { address } = server;
    const answer = await post(address, path, body).catch(() => lost);
    given.push(answer);
    // Nobody serves there until the next start.
    while (answer === lost && server.address === address && !isOver()) await pause(50);
    // The sandbox makes media one after the other: what waits there stays short.
    if (kind === "video") while ((await openVideos()) > 2 && !isOver()) await pause(300);
    if (kind === "image") await pause(300);
    else await pause(20);
  }
}

/** SIGKILL to the first process while it serves, and another start. */
async function killOne(): Promise<void> {
  const [server] = servers;
  if (server === undefined) throw new Error("there is no process");
  server.product.process.kill("SIGKILL");
  await server.product.exitCode;
  server.product = start(server.folder);
  server.address = await server.product.address;
}

/** What an operator does meanwhile. The last orders go to models that are offered. */
async function change(): Promise<void> {
  for (let points = 3; points <= LAST_PRICE; points++) {
    for (const model of models) await write("change", model, points);
    if (points === LAST_PRICE - 1) await killOne();
    await waitForOrders(2);
  }
  const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
  for (const model of models) await commands.json("model retire --id", model, "--on", nextYear);
  await waitForOrders(1);
  for (const model of models)
    await commands.json("model retire --id", model, "--replaced-by", "RelayV1");
  await waitForOrders(1, "model_retired");
  for (const model of models) await commands.json("model restore --id", model);
  await waitForOrders(1);
}

interface Billed {
  request: string;
  model: string;
  state: string;
  price: string;
  version: string;
  hold: string;
  amount: string;
  status: string | null;
}

/** The operations, once all have ended. */
async function billed(): Promise<Billed[]> {
  const open = "select model, deadline - now() as left from open_request";
  const openNow = async () => (await database.query(open)).rows;
  await expect.poll(openNow, { timeout: 240_000 }).toEqual([]);
  return (
    await database.query<Billed>(
      `select r.request_id as request, r.model, r.outcome as state, r.price_version_id::text as price, r.model_version_id::text as version,
              r.hold_amount::text as hold, r.amount::text as amount, t.status
         from request r left join video_task t on t.operation_id = r.id
        where r.source = 'api'`,
    )
  ).rows;
}

/** In `npm test`, what a version withdraws is billed as it was held in `lib/relay`. */
test("no order is lost, and each is billed by the version and the price of its hold", async () => {
  let isOver = false;
  const clients = servers.flatMap((server) =>
    kinds.map((kind) => keepOrdering(server, kind, () => isOver)),
  );
  await change().finally(() => {
    isOver = true;
  });
  await Promise.all(clients);
  const answers = given;
  const broken = answers.filter((answer) => answer === lost);
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.length).toBeLessThanOrEqual(kinds.length);
  const refusals = answers.filter((answer) => answer !== lost && answer.status !== 200);
  const codes = new Set(refusals.map(({ model, code }) => `${model} ${code}`));
  // A duration or size that the present version does not have, and the time in which nothing was
  // offered.
  expect([...codes].sort()).toEqual([
    ...[`${IMAGE} model_retired`, `${IMAGE} unsupported_value`, `${TEXT} model_retired`],
    ...[`${VIDEO} model_retired`, `${VIDEO} unsupported_value`],
  ]);

  const rows = await billed();
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeGreaterThan(100);
  const known = new Set(accepted.map(({ requestId }) => requestId));
  expect(rows.filter(({ request }) => known.has(request)).length).toBe(accepted.length);
  // What was cut off by the kill has at most one row for each client that waited.
  const cut = rows.filter(({ request }) => !known.has(request));
  expect(cut.length).toBeLessThanOrEqual(broken.length);
  for (const { request, model, state, price, version, hold, amount, status } of rows) {
    const each = (pointsOf.get(price) ?? Number.NaN) * 1_000_000;
    const owed = String(each * (model === VIDEO ? (secondsOf.get(version) ?? Number.NaN) : 1));
    const isFree = !known.has(request) && state === "released";
    expect({ state, hold, amount }).toEqual({
      state: isFree ? "released" : "settled",
      hold: owed,
      amount: isFree ? "0" : owed,
    });
    if (model === VIDEO && !isFree) expect(status).toBe("succeeded");
    const told = accepted.find(({ requestId }) => requestId === request)?.points ?? null;
    if (model !== VIDEO && told !== null) expect(told).toBe(String(Number(owed) / 1_000_000));
  }
  const used = (of: string) =>
    new Set(rows.filter(({ model }) => model === of).map((row) => row.price));
  for (const model of models)
    expect([model, used(model).size > LAST_PRICE / 2]).toEqual([model, true]);
}, 600_000);
