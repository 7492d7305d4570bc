/** Within an account, a key is not every key: every address with an id, by key, role and model. */
import { beforeAll, expect, test } from "vitest";
import { answerPlayground } from "@/lib/http/playground-lane";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { taskPage } from "../queries/task-log";

const developers = ["user_joined", "user_second"];

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel], points: "100000" }));
const { pool, accountId } = relay;
beforeAll(async () => {
  await seedMembers(relay);
  await pool.query("insert into account (id) values ('acct_second'), ('acct_third')");
  await pool.query(
    `insert into "user" (id, email, account_id) values ('user_second', 'second@example.com', 'acct_second'), ('user_viewer', 'viewer@example.com', 'acct_third')`,
  );
  await pool.query(
    "insert into account_member (account_id, user_id, role) values ($1, 'user_second', 'developer'), ($1, 'user_viewer', 'viewer')",
    [accountId],
  );
  for (const maker of ["user_owner", ...developers])
    for (const number of [1, 2])
      await pool.query(
        "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'made', sha256($3), 'hint', $4)",
        [`key_${maker}${number}`, accountId, Buffer.from(maker + number), maker],
      );
});

interface By {
  readonly key?: string;
  readonly user?: string;
  readonly models?: readonly string[];
}

async function ask(
  method: string,
  path: string,
  { key, user, models = [] }: By,
  body?: object,
  headers: Record<string, string> = {},
) {
  const { setting } = relay;
  const before = setting.principal;
  const init = { method, ...(body && { body: JSON.stringify(body) }) };
  if (key !== undefined) setting.principal = { ...before, apiKeyId: key, rateSubject: key, models };
  try {
    if (user === undefined) return await relay.send(path, { ...init, headers });
    const origin = "http://relay.test";
    const answer = await answerPlayground(
      {
        publicUrl: origin,
        find: relay.find,
        signedIn: async () => ({ accountId: relay.accountId, userId: user }),
      },
      new Request(`${origin}/api/playground${path}`, {
        ...init,
        headers: {
          "content-type": "application/json",
          "sec-fetch-site": "same-origin",
          ...headers,
        },
      }),
    );
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith("{") ? JSON.parse(text) : {} };
  } finally {
    setting.principal = before;
  }
}

const video = {
  model: "super-relay-2.5",
  resolution: "480p",
  content: [{ type: "text", text: "a fox" }],
};
const picture = { model: "super-relay-img", prompt: "a fox", size: "512x512", async: true };
const text = { model: "RelayV1", input: "hello", max_output_tokens: 50 };

/** An order of each kind with an id. */
async function ordered(by: By): Promise<Record<string, string>> {
  const made = [
    await ask("POST", "/v1/responses", by, text),
    await ask("POST", "/v1/contents/generations/tasks", by, video),
    await ask("POST", "/v1/videos", by, { model: "super-relay-2.5", prompt: "a fox" }),
    await ask("POST", "/v1/images/generations", by, picture),
  ];
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 202]);
  const [response = "", task = "", job = "", image = ""] = made.map(({ json }) => String(json.id));
  return { response, task, job, image };
}

const rows: EndpointRow[] = Object.values(endpoints);
/** Which of the ids an address takes; the others are no order's. */
const kinds: Readonly<Record<string, string | null>> = {
  "/v1/responses/{id}": "response",
  "/v1/responses/{id}/input_items": "response",
  "/v1/responses/{id}/cancel": "response",
  "/v1/contents/generations/tasks/{id}": "task",
  "/v1/videos/{id}": "job",
  "/v1/images/generations/{id}": "image",
  "/v1/videos/{id}/content": "job",
  // The states of a task, found as the task itself is, until it ends.
  "/v1/contents/generations/tasks/{id}/stream": null,
  // A signed link, whoever has it; a model of the catalogue.
  "/v1/media/{file}": null,
  "/v1/models/{model}": null,
};
const withId = rows.filter(
  ({ path, admits }) => path.includes("{") && !admits.every((kind) => kind === "managementKey"),
);
const none: Readonly<Record<string, string>> = {
  response: `resp_${"0".repeat(32)}`,
  task: "cgt-none",
  job: "cgt-none",
  image: "cgt-none",
};

/** The status of each address with an id, and whether it is what an unknown id gets. */
async function walked(ids: Record<string, string>, by: By, methods = ["GET", "DELETE"]) {
  const found: [string, number, boolean][] = [];
  for (const { method, path } of withId) {
    const kind = kinds[path];
    if (!kind || ids[kind] === undefined || !methods.includes(method)) continue;
    const at = (id = "") => ask(method, path.replace(/\{\w+\}/, id), by);
    const [real, unknown] = [await at(ids[kind]), await at(none[kind])];
    const same =
      real.text.replaceAll(ids[kind] ?? "", "") === unknown.text.replaceAll(none[kind] ?? "", "");
    found.push([`${method} ${path}`, real.status, same]);
  }
  return found;
}
const hidden = (found: [string, number, boolean][]) =>
  found.map(([what]): [string, number, boolean] => [what, 404, true]);

test("every address with an id is walked here, or is said to have no order's", () => {
  expect(withId.map(({ path }) => path).filter((path) => kinds[path] === undefined)).toEqual([]);
  expect(withId.length).toBeGreaterThan(8);
});

test("an order is its maker's and the admins': another member's key or session finds nothing", async () => {
  for (const maker of [{ key: "key_user_joined1" }, { user: "user_joined" }]) {
    const ids = await ordered(maker);
    for (const by of [{ key: "key_user_second1" }, { user: "user_second" }]) {
      const found = await walked(ids, by);
      expect(found).toEqual(hidden(found));
    }
    for (const by of [
      maker,
      { key: "key_user_joined2" },
      { user: "user_joined" },
      { key: "key_user_owner1" },
      { user: "user_owner" },
      { user: "user_viewer" },
    ]) {
      const found = await walked(ids, by, ["GET"]);
      expect([by, found.filter(([, , isUnknown]) => isUnknown)]).toEqual([by, []]);
    }
  }
});

test("what a key may not make it may not read, list or delete", async () => {
  const { image: _, ...ids } = await ordered({ key: "key_user_joined1" });
  const image = { key: "key_user_joined1", models: ["super-relay-img"] };
  const found = await walked(ids, image);
  expect(found).toEqual(hidden(found));
  expect((await ask("GET", "/v1/contents/generations/tasks", image)).json).toMatchObject({
    total: 0,
  });
  expect((await ask("GET", "/v1/videos", image)).json.data).toEqual([]);
});

test("lists, references and places in lists show no other member's orders", async () => {
  const { response, job } = await ordered({ key: "key_user_joined1" });
  const other = { key: "key_user_second1" };
  const tasks = await ask("GET", "/v1/contents/generations/tasks", other);
  expect(tasks.json).toEqual({ items: [], total: 0 });
  expect((await ask("GET", "/v1/videos", other)).json.data).toEqual([]);
  expect((await ask("GET", `/v1/videos?after=${job}`, other)).json.error.param).toBe("after");
  const continued = { ...text, previous_response_id: response };
  expect((await ask("POST", "/v1/responses", other, continued)).json.error.code).toBe(
    "previous_response_not_found",
  );
  const item = `msg_${String(response).slice("resp_".length)}_0`;
  const referring = { ...text, input: [{ type: "item_reference", id: item }] };
  expect((await ask("POST", "/v1/responses", other, referring)).json.error.code).toBe(
    "previous_response_not_found",
  );
  expect((await ask("POST", "/v1/responses", { key: "key_user_owner1" }, continued)).status).toBe(
    200,
  );
  const seen = (reader: Parameters<typeof taskPage>[2]["reader"]) =>
    taskPage(relay.pool, relay.accountId, { reader }, { limit: 100 });
  const { accountId } = relay;
  const member = { accountId, userId: "user_second", apiKeyId: null, models: [] };
  expect((await seen(member)).tasks).toEqual([]);
  expect((await seen(null)).tasks.length).toBeGreaterThan(0);
});

test("the tools find another member's video as little as one that does not exist", async () => {
  const { task } = await ordered({ key: "key_user_joined1" });
  const look = async (key: string, id: string | undefined) => {
    const params = { name: "get_video", arguments: { id } };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const accept = { accept: "application/json, text/event-stream" };
    return (await ask("POST", "/mcp", { key }, body, accept)).text;
  };
  expect(await look("key_user_second1", task)).toContain("task_not_found");
  expect(await look("key_user_joined2", task)).toContain(task);
  expect(await look("key_user_joined2", task)).not.toContain("task_not_found");
});

test("the value of an Idempotency-Key is its sender's own: to others it was never used", async () => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const say = (by: By, body: object = text) => ask("POST", "/v1/responses", by, body, headers);
  const made = await say({ key: "key_user_joined1" });
  const theirs = await say({ key: "key_user_second1" });
  expect([made.status, theirs.status]).toEqual([200, 200]);
  expect(theirs.json.id).not.toBe(made.json.id);
  // Each request continues by itself.
  expect((await say({ key: "key_user_second1" })).json.id).toBe(theirs.json.id);
  expect((await say({ key: "key_user_joined1" })).json.id).toBe(made.json.id);
  // Who may read the answer gets it when the same request comes with another key, as after a change of keys.
  for (const by of [{ key: "key_user_joined2" }, { user: "user_joined" }])
    expect((await say(by)).json.id).toBe(made.json.id);
  expect((await say({ user: "user_second" })).json.id).toBe(theirs.json.id);
  expect((await say({ key: "key_user_owner1" })).json.id).toBe(made.json.id);
  // Another request is none: neither the maker's other key nor an admin's is in its way.
  const more = { ...text, input: "hello again" };
  for (const key of ["key_user_joined2", "key_user_owner1"])
    expect((await say({ key }, more)).status).toBe(200);
  expect((await say({ key: "key_user_joined1" }, more)).json.error.code).toBe(
    "idempotency_key_reused",
  );
});

test("two members' equal requests with one value at once are two, and neither waits for the other", async () => {
  const fresh = { "idempotency-key": crypto.randomUUID() };
  const [mine, theirs] = await Promise.all([
    ask("POST", "/v1/responses", { key: "key_user_joined1" }, text, fresh),
    Promise.resolve().then(() =>
      ask("POST", "/v1/responses", { key: "key_user_second1" }, text, fresh),
    ),
  ]);
  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(mine.json.id).not.toBe(theirs.json.id);
});

test("what is ordered in a session has no callback, which nothing would sign", async () => {
  const callback_url = "https://hooks.example/a";
  const orders: [string, object][] = [
    ["/v1/contents/generations/tasks", { ...video, callback_url }],
    ["/v1/images/generations", { ...picture, callback_url }],
  ];
  for (const [path, order] of orders) {
    const refused = await ask("POST", path, { user: "user_owner" }, order);
    expect([refused.status, refused.json.error?.param]).toEqual([400, "callback_url"]);
    expect((await ask("POST", path, { key: "key_user_owner1" }, order)).status).toBeLessThan(300);
  }
});
