/** Attacks on stored responses: other accounts, long chains, failures of the database, odd texts. */
import { beforeEach, expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { chunk, saying, streamType, usageChunk, usageOf } from "@/testing/upstream/test-upstream";
import { pause } from "../timing/pause";

const usage = usageOf(100, 20);
let known = 0;

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel()],
  points: "100000",
}));
beforeEach(async () => {
  setup.script = said("content");
  known = (await setup.relay.ends()).length;
});

const said = (text: string) => saying(text, usage);

const other = { authorization: "Bearer other" };
const create = (fields: object, headers: Record<string, string> = {}) =>
  setup.relay.send("/v1/responses", {
    body: JSON.stringify({ model: "RelayV1", input: "hello", max_output_tokens: 50, ...fields }),
    headers,
  });
const outcomes = async () => (await setup.relay.ends()).slice(known).map(({ outcome }) => outcome);
const stored = async (id: unknown) =>
  (await setup.relay.pool.query("select id from stored_response where id = $1", [id])).rowCount;
/** The response of a stream's last event. */
const lastOf = (text: string) =>
  JSON.parse(text.trim().split("\n").at(-1)?.slice("data: ".length) ?? "").response;

test("another account's response can be neither read, listed, continued, referred to nor deleted", async () => {
  const made = await create({});
  const { id, output } = made.json;
  const none = `resp_${"0".repeat(32)}`;
  const said = async (answer: ReturnType<typeof create>) => {
    const { status, text } = await answer;
    return [status, text.replaceAll(String(id), none).replaceAll(/[0-9a-f]{32}/g, "")];
  };
  for (const [path, method] of [
    ["", "GET"],
    ["/input_items", "GET"],
    ["", "DELETE"],
  ] as const) {
    const theirs = await said(
      setup.relay.send(`/v1/responses/${id}${path}`, { method, headers: other }),
    );
    expect(theirs[0]).toBe(404);
    expect(theirs).toEqual(
      await said(setup.relay.send(`/v1/responses/${none}${path}`, { method, headers: other })),
    );
  }
  const item = (output as { id: string }[])[0]?.id ?? "";
  const refer = (given: string) => ({ input: [{ type: "item_reference", id: given }] });
  const refused = [400, expect.stringContaining("previous_response_not_found")];
  expect(await said(create({ previous_response_id: id }, other))).toEqual(refused);
  expect(await said(create(refer(item), other))).toEqual(refused);
  expect(await said(create({ previous_response_id: id }, other))).toEqual(
    await said(create({ previous_response_id: none }, other)),
  );
  expect(await stored(id)).toBe(1);
  expect(await outcomes()).toEqual(["settled"]);
});

test("of two deletes at once, one finds the response", async () => {
  const { json } = await create({});
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      setup.relay.send(`/v1/responses/${json.id}`, { method: "DELETE" }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
});

test("a chain of 9000 responses, and one that ends in itself, are refused soon", async () => {
  const { json } = await create({});
  const digits = (at: number) => at.toString(16).padStart(32, "0");
  for (let from = 1; from < 9000; from += 300)
    await setup.relay.pool.query(
      `insert into stored_response (id, account_id, api_key_id, model, previous_id, input, output, response)
       select 'resp_' || lpad(to_hex(n), 32, '0'), s.account_id, s.api_key_id, s.model, 'resp_' || lpad(to_hex(n - 1), 32, '0'), s.input, s.output, s.response
         from stored_response s, generate_series($2::int, $2 + 299) n where s.id = $1`,
      [json.id, from],
    );
  // As the database itself does within a minute: plans made for an empty table are made anew.
  const owner = await connect(setup.relay.seeded.url);
  await owner.query("analyze stored_response");
  await owner.end();
  const at = Date.now();
  const tooLong = { status: 400, json: { error: { code: "invalid_value", param: "input" } } };
  expect(await create({ previous_response_id: `resp_${digits(9000)}` })).toMatchObject(tooLong);
  await setup.relay.pool.query("update stored_response set previous_id = id where id = $1", [
    json.id,
  ]);
  expect(await create({ previous_response_id: json.id })).toMatchObject(tooLong);
  expect(Date.now() - at).toBeLessThan(4000);
  expect(await outcomes()).toEqual(["settled"]);
});

test("what requests refer to takes memory while they run, and they take turns for it", async () => {
  const { json } = await create({});
  const next = () => create({ previous_response_id: json.id, store: false });
  const answers = await Promise.all(Array.from({ length: 40 }, next));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  const other = () => create({ previous_response_id: `resp_${"0".repeat(32)}` });
  const refused = await Promise.all(Array.from({ length: 40 }, other));
  expect(refused.map(({ status }) => status)).toEqual(Array(40).fill(400));
  expect(await next()).toMatchObject({ status: 200 });
});

test("a request refers to at most 4096 items, its own among them", async () => {
  const call = { type: "function_call", call_id: "a", name: "b", arguments: "{}" };
  const { json } = await create({
    input: [...Array(4000).fill(call), { role: "user", content: "x" }],
  });
  const next = (count: number) =>
    create({ previous_response_id: json.id, input: Array(count).fill(call) });
  expect(await next(200)).toMatchObject({
    status: 400,
    json: { error: { code: "invalid_value", param: "input" } },
  });
  expect(await next(10)).toMatchObject({ status: 200 });
});

test.each([false, true])(
  "a response that cannot be stored is answered, charged, and says so (stream: %s)",
  async (stream) => {
    await setup.relay.pool.query("select 1");
    const { query } = setup.relay.pool;
    setup.relay.pool.query = ((sql: unknown, ...rest: unknown[]) =>
      String(sql).includes("insert into stored_response")
        ? Promise.reject(new Error("could not extend file: No space left on device"))
        : Reflect.apply(query, setup.relay.pool, [sql, ...rest])) as typeof query;
    const answer = await create({ stream }).finally(() => {
      setup.relay.pool.query = query;
    });
    const response = stream ? lastOf(answer.text) : answer.json;
    expect(answer.status).toBe(200);
    expect(response).toMatchObject({ status: "completed", store: false });
    expect(await stored(response.id)).toBe(0);
    expect(setup.relay.logged.join()).toContain("a response could not be stored");
    expect(await outcomes()).toEqual(["settled"]);
  },
);

test("texts with a NUL or half of a surrogate pair are stored, read and continued as they are", async () => {
  const odd = "a\0b\ud83dc";
  setup.script = said(odd);
  const made = await create({ input: "a\0b" });
  expect(made).toMatchObject({ status: 200, json: { store: true } });
  const read = await setup.relay.send(`/v1/responses/${made.json.id}`);
  expect(read.json.output).toEqual(made.json.output);
  const items = await setup.relay.send(`/v1/responses/${made.json.id}/input_items`);
  expect(items.json).toMatchObject({ data: [{ content: [{ text: "a\0b" }] }] });
  expect(await create({ previous_response_id: made.json.id })).toMatchObject({ status: 200 });
  expect(JSON.stringify(setup.upstream.seen.at(-1)?.body)).toContain(
    JSON.stringify(odd).slice(1, -1),
  );
});

test("an answer that could not be read again is not said to be stored", async () => {
  setup.script = said("x".repeat(4 * 1024 * 1024 + 1));
  const { status, json } = await create({});
  expect([status, json.store]).toEqual([200, false]);
  expect((await setup.relay.send(`/v1/responses/${json.id}`)).status).toBe(404);
});

test("a list of input items ends, whatever its ids are, and refuses an unknown place", async () => {
  const { json } = await create({
    input: Array.from({ length: 5 }, () => ({ id: "same", role: "user", content: "x" })),
  });
  const page = (query: string) => setup.relay.send(`/v1/responses/${json.id}/input_items?${query}`);
  expect((await page("limit=2&after=same")).json).toMatchObject({ data: [], has_more: false });
  expect(await page("after=none")).toMatchObject({
    status: 400,
    json: { error: { code: "invalid_value", param: "after" } },
  });
});

test("a stream whose client stops reading and leaves is charged and stored", async () => {
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  setup.script = async (response) => {
    response.writeHead(200, streamType);
    for (let at = 0; at < 40; at++) response.write(chunk({ content: "x".repeat(50_000) }));
    await left;
    response.end(`${chunk({}, {}, "stop")}${usageChunk(usage)}data: [DONE]\n\n`);
  };
  const answer = await setup.relay.fetch("/v1/responses", {
    body: JSON.stringify({ model: "RelayV1", input: "hello", stream: true }),
  });
  const reader = answer.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  const id = /"id":"(resp_[0-9a-f]{32})"/.exec(first)?.[1];
  await pause(50);
  await reader?.cancel();
  leave();
  expect(await outcomes()).toEqual(["settled"]);
  expect(await stored(id)).toBe(1);
});

test.each([
  ["32 MiB", () => " ".repeat(32 * 1024 * 1024), 413],
  [
    "5000 items",
    () =>
      JSON.stringify({ model: "RelayV1", input: Array(5000).fill({ role: "user", content: "x" }) }),
    400,
  ],
  [
    "10,000 items",
    () =>
      JSON.stringify({
        model: "RelayV1",
        input: Array(10_000).fill({ role: "user", content: "x" }),
      }),
    413,
  ],
  [
    "a deep value",
    () => `{"model":"RelayV1","input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    400,
  ],
  [
    "a deep schema",
    () =>
      `{"model":"RelayV1","input":"x","text":{"format":{"type":"json_schema","name":"a","schema":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}}}`,
    400,
  ],
])("a body of %s is refused, in both dialects", async (_what, bodyOf, status) => {
  for (const path of ["/v1/responses", "/v1/messages"]) {
    const body = bodyOf().replace('"input"', path.endsWith("messages") ? '"messages"' : '"input"');
    const answer = await setup.relay.send(path, { body });
    expect([path, answer.status]).toEqual([path, status]);
  }
  expect(await outcomes()).toEqual([]);
});
