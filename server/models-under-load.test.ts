/**
 * Models are changed, priced anew, retired and offered again while two processes of the built product
 * serve orders without a pause: none is lost, and each is billed by what it was held under.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pause } from "@/lib/pause";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import { dataFolder, endProducts, root, startProduct } from "@/testing/product/product";

const folder = mkdtempSync(join(tmpdir(), "relay-models-load-"));
const person = ["--email", "new@example.com"];
const [TEXT, VIDEO] = ["load-text", "load-video"];
let commands: TestCommands;
let sandbox: Sandbox;
let database: pg.Pool;
let addresses: string[];
let secret: string;

/** Points for a request, or for a second, by the price version. */
const pointsOf = new Map<string, number>();
/** The seconds that a version of the video model allows, by its id. */
const secondsOf = new Map<string, number>();

const newest = async (table: "price_version" | "model_version", model: string) => {
  const column = table === "price_version" ? "model" : "model_id";
  const text = `select max(id)::text as id from ${table} where ${column} = $1`;
  return (await database.query<{ id: string }>(text, [model])).rows[0]?.id ?? "";
};

/** Creates or changes a model: `points` for a request or a second, and another limit each time. */
async function write(how: "create" | "change", model: string, points: number): Promise<void> {
  const seconds = points % 2 === 0 ? 4 : 8;
  const file =
    model === TEXT
      ? {
          family: "text",
          spec: { output_tokens_max: 1000 + points },
          rates: [{ unit: "request", points }],
        }
      : {
          family: "video",
          spec: { durations: [seconds], resolutions: ["480p"], ratios: ["16:9"] },
          rates: [{ unit: "second", points }],
        };
  const from = join(folder, `${model}.json`);
  writeFileSync(from, JSON.stringify({ id: model, ...file }));
  const named = how === "change" ? ["--id", model] : [];
  await commands.json("model", how, ...named, "--from", from);
  pointsOf.set(await newest("price_version", model), points);
  if (model === VIDEO) secondsOf.set(await newest("model_version", model), seconds);
}

async function offer(model: string, upstream: string): Promise<void> {
  const { baseUrl, apiKey } = sandbox.channel;
  const { channel } = await commands.json(
    ...["channel", "create", "--name", model, "--protocol", "ark", "--base-url", baseUrl],
    ...[
      "--api-key",
      apiKey ?? "",
      "--rps",
      "1000",
      "--rpm",
      "60000",
      "--models",
      `${model}=${upstream}`,
    ],
  );
  await commands.relay("channel", "test", "--id", channel.id, "--model", model, "--real");
  await commands.json("model", "offer", "--id", model);
}

beforeAll(async () => {
  execFileSync(process.execPath, ["server/build.mjs"], { cwd: root, stdio: "pipe" });
  commands = await openTestCommands();
  sandbox = await startSandbox({ pace: 0.5 });
  const { DATABASE_URL = "", RELAY_SECRET = "" } = commands.environment;
  database = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
  const account = ["account", "create", ...person, "--points", "1000000"];
  await commands.json(...account, "--password", "correct horse battery");
  secret = (await commands.json("key", "create", ...person, "--name", "one")).secret;
  await database.query("update api_key set requests_per_minute = 100000");
  await write("create", TEXT, 2);
  await write("create", VIDEO, 2);
  await offer(TEXT, "sandbox-relay-v1");
  await offer(VIDEO, "sandbox-super-relay-fast");
  const settings = { DATABASE_URL, RELAY_SECRET, RELAY_SANDBOX: "off" };
  const products = [1, 2].map(() => startProduct({ ...settings, RELAY_DATA_DIR: dataFolder() }));
  addresses = await Promise.all(products.map(({ address }) => address));
}, 300_000);
afterAll(async () => {
  await endProducts();
  await database.end();
  await sandbox.close();
  commands.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string;
  readonly points: string | null;
}

async function post(address: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    code: response.ok ? undefined : JSON.parse(text).error.code,
    requestId: response.headers.get("x-request-id") ?? "",
    points: response.headers.get("x-relay-points"),
  };
}

/** Orders by one client, one after the other, until `isOver`. */
async function keepOrdering(
  address: string,
  kind: "text" | "stream" | "video",
  isOver: () => boolean,
): Promise<Answer[]> {
  const messages = [{ role: "user", content: "Hello" }];
  const answers: Answer[] = [];
  for (let sent = 0; !isOver() && sent < 5000; sent++) {
    if (kind === "video") {
      const content = [{ type: "text", text: `A boat --dur ${sent % 2 === 0 ? 4 : 8}` }];
      answers.push(
        await post(address, "/v1/contents/generations/tasks", { model: VIDEO, content }),
      );
      await pause(700);
    } else {
      const chat = { model: TEXT, messages, max_tokens: 20, stream: kind === "stream" };
      answers.push(await post(address, "/v1/chat/completions", chat));
    }
  }
  return answers;
}

/** What an operator does meanwhile. The last orders go to models that are offered. */
async function change(): Promise<void> {
  for (let points = 3; points <= 8; points++) {
    await write("change", TEXT, points);
    await write("change", VIDEO, points);
    await pause(600);
  }
  const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
  for (const model of [TEXT, VIDEO])
    await commands.json("model", "retire", "--id", model, "--on", nextYear);
  await pause(600);
  for (const model of [TEXT, VIDEO])
    await commands.json("model", "retire", "--id", model, "--replaced-by", "RelayV1");
  await pause(1500);
  for (const model of [TEXT, VIDEO]) await commands.json("model", "restore", "--id", model);
  await pause(1500);
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
  const open = "select count(*)::int as open from open_operation";
  const openNow = async () => (await database.query<{ open: number }>(open)).rows[0]?.open;
  await expect.poll(openNow, { timeout: 60_000 }).toBe(0);
  return (
    await database.query<Billed>(
      `select o.request_id as request, o.model, s.outcome as state, o.price_version_id::text as price, o.model_version_id::text as version,
              o.hold_amount::text as hold, s.amount::text as amount, t.status
         from operation o join settlement s on s.operation_id = o.id left join video_task t on t.operation_id = o.id
        where o.source = 'api'`,
    )
  ).rows;
}

test("no order is lost, and each is billed by the version and the price of its hold", async () => {
  let isOver = false;
  const clients = addresses.flatMap((address) =>
    (["text", "stream", "video"] as const).map((kind) => keepOrdering(address, kind, () => isOver)),
  );
  await change().finally(() => {
    isOver = true;
  });
  const answers = (await Promise.all(clients)).flat();
  const refusals = answers.filter(({ status }) => status !== 200);
  const codes = new Set(refusals.map(({ code }) => code));
  // A duration that the present version does not have, and the time in which nothing was offered.
  expect([...codes].sort()).toEqual(["model_retired", "unsupported_value"]);

  const rows = await billed();
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeGreaterThan(100);
  expect(rows.map(({ request }) => request).sort()).toEqual(
    accepted.map(({ requestId }) => requestId).sort(),
  );
  for (const { request, model, state, price, version, hold, amount, status } of rows) {
    const each = (pointsOf.get(price) ?? Number.NaN) * 1_000_000;
    const owed = each * (model === VIDEO ? (secondsOf.get(version) ?? Number.NaN) : 1);
    expect({ state, hold, amount }).toEqual({
      state: "settled",
      hold: String(owed),
      amount: String(owed),
    });
    if (model === VIDEO) expect(status).toBe("succeeded");
    const told = accepted.find(({ requestId }) => requestId === request)?.points;
    if (model === TEXT && told !== null) expect(told).toBe(String(owed / 1_000_000));
  }
  const used = (of: string) =>
    new Set(rows.filter(({ model }) => model === of).map((r) => r.price));
  expect(used(TEXT).size).toBeGreaterThan(4);
  expect(used(VIDEO).size).toBeGreaterThan(4);
}, 180_000);
