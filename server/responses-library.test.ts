/** The Responses API as the unmodified `openai` package from npm calls it, on the running server. */
import OpenAI from "openai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { beforeEach, expect, test } from "vitest";
import { openStage } from "@/testing/clients/libraries/situations";
import { citySchema, weather as described } from "@/testing/clients/libraries/text-library";
import { opened } from "@/testing/unit/opened";

const stage = await opened(openStage());
const { relay } = stage;
const client = new OpenAI({ apiKey: "good", baseURL: `${stage.origin}/v1`, maxRetries: 0 });
beforeEach(async () => {
  relay.setting.responseDays = 30;
  await stage.begin();
});

const expectCharges = (count: number) => stage.expectCharges(count, "responses");

const model = "RelayV1";
const weather = {
  type: "function",
  ...described,
  parameters: citySchema,
  strict: true,
} as const;

test("a response has its text, its usage and its request's id", async () => {
  const { data, request_id } = await client.responses
    .create({ model, input: "2+3", instructions: "Be brief.", metadata: { a: "b" } })
    .withResponse();
  expect(data).toMatchObject({
    object: "response",
    status: "completed",
    model,
    output_text: expect.stringContaining("2+3 = 5"),
    instructions: "Be brief.",
    metadata: { a: "b" },
    store: true,
  });
  expect(data.usage?.total_tokens).toBe(
    (data.usage?.input_tokens ?? 0) + (data.usage?.output_tokens ?? 0),
  );
  expect(data.usage?.output_tokens).toBeGreaterThan(0);
  expect(request_id).toMatch(/^req_/);
  await expectCharges(1);
});

test("it streams, and its helper assembles the response", async () => {
  const types: string[] = [];
  for await (const event of await client.responses.create({
    model,
    input: "hello",
    stream: true,
  }))
    types.push(event.type);
  expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
  expect(types.at(-1)).toBe("response.completed");
  const final = await client.responses.stream({ model, input: "hello" }).finalResponse();
  expect(final.output_text).toContain("sandbox");
  expect(final.usage?.output_tokens).toBeGreaterThan(0);
  await expectCharges(2);
});

test.each([false, true])(
  "functions are called over three turns, with what came before sent again (stream: %s)",
  async (isStream) => {
    const input: ResponseInputItem[] = [{ role: "user", content: "Use get_weather for Rome." }];
    const ask = () => {
      const request = { model, input, tools: [weather], store: false };
      return isStream
        ? client.responses.stream(request).finalResponse()
        : client.responses.create(request);
    };
    for (let turn = 0; turn < 2; turn++) {
      const answer = await ask();
      const call = answer.output.find(({ type }) => type === "function_call");
      if (call?.type !== "function_call") throw new Error("there was no call");
      expect(call.name).toBe("get_weather");
      expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) });
      input.push(...(answer.output as ResponseInputItem[]), {
        type: "function_call_output",
        call_id: call.call_id,
        output: "22 degrees",
      });
      const told = await ask();
      expect(told.output_text).toContain("22 degrees");
      input.push(...(told.output as ResponseInputItem[]));
      input.push({ role: "user", content: "Use get_weather for Oslo." });
    }
    await expectCharges(4);
  },
);

test("previous_response_id continues a response, and functions answer over it", async () => {
  const first = await client.responses.create({
    model,
    input: "Use get_weather for Rome.",
    tools: [weather],
  });
  const call = first.output.find(({ type }) => type === "function_call");
  if (call?.type !== "function_call") throw new Error("there was no call");
  const second = await client.responses.create({
    model,
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: call.call_id, output: "22 degrees" }],
    tools: [weather],
  });
  expect(second.output_text).toContain("22 degrees");
  expect(second.previous_response_id).toBe(first.id);
  const third = await client.responses
    .stream({ model, previous_response_id: second.id, input: "2+3" })
    .finalResponse();
  expect(third.output_text).toContain("2+3 = 5");
  await expectCharges(3);
});

test("a response is read, its items are listed, and it is deleted", async () => {
  const made = await client.responses.create({ model, input: "2+3" });
  const read = await client.responses.retrieve(made.id);
  expect(read).toEqual({ ...made, output_text: read.output_text });
  expect(read.output_text).toBe(made.output_text);
  const items = [];
  for await (const item of client.responses.inputItems.list(made.id)) items.push(item);
  expect(items).toMatchObject([
    { type: "message", role: "user", content: [{ type: "input_text", text: "2+3" }] },
  ]);
  const streamed = await client.responses.stream({ model, input: "hello" }).finalResponse();
  expect((await client.responses.retrieve(streamed.id)).output_text).toBe(streamed.output_text);
  await client.responses.delete(made.id);
  for (const gone of [
    () => client.responses.retrieve(made.id),
    () => client.responses.delete(made.id),
    () => client.responses.retrieve("resp_none"),
  ])
    await expect(gone()).rejects.toMatchObject({ status: 404, code: "response_not_found" });
  await expect(
    client.responses.create({ model, input: "x", previous_response_id: made.id }),
  ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
  await expectCharges(2);
});

test("input items come in pages, in both orders", async () => {
  const words = ["one", "two", "three", "four", "five"];
  const made = await client.responses.create({
    model,
    input: words.map((content) => ({ role: "user", content })),
  });
  for (const order of ["asc", "desc"] as const) {
    const seen = [];
    for await (const item of client.responses.inputItems.list(made.id, { order, limit: 2 }))
      if (item.type === "message") seen.push(item.content[0]);
    const texts = seen.map((part) => (part?.type === "input_text" ? part.text : ""));
    expect(texts).toEqual(order === "asc" ? words : [...words].reverse());
  }
});

test("another account's response is one that does not exist", async () => {
  const made = await client.responses.create({ model, input: "2+3" });
  const headers = { authorization: "Bearer other" };
  const mine = await relay.send(`/v1/responses/${made.id}`);
  const theirs = await relay.send(`/v1/responses/${made.id}`, { headers });
  const none = await relay.send(`/v1/responses/resp_${"0".repeat(32)}`, { headers });
  expect(mine.status).toBe(200);
  expect([theirs.status, theirs.json]).toEqual([none.status, none.json]);
  expect(none.status).toBe(404);
});

test("nothing is stored for store: false, or when the installation stores none", async () => {
  const kept = async () =>
    (await relay.pool.query<{ count: number }>("select count(*)::int from stored_response")).rows[0]
      ?.count;
  const before = await kept();
  const request = { model, input: "2+3", store: false };
  const plain = await client.responses.create(request);
  await client.responses.stream(request).finalResponse();
  expect(plain).toMatchObject({ store: false });
  relay.setting.responseDays = 0;
  const off = await client.responses.create({ model, input: "2+3" });
  expect(off).toMatchObject({ store: false });
  expect(await kept()).toBe(before);
  await expect(
    client.responses.create({ model, input: "x", previous_response_id: off.id }),
  ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
});

test.each([
  ["conversation", { conversation: "conv_1" }],
  ["prompt", { prompt: { id: "pmpt_1" } }],
])("%s is refused by name", async (param, fields) => {
  const refused = client.responses.create({ model, input: "x", ...fields });
  await expect(refused).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  await expect(refused).rejects.toMatchObject({ code: "unsupported_value", param });
});

test("tools that cannot run here are left out and named", async () => {
  const { response } = await client.responses
    .create({ model, input: "2+3", tools: [{ type: "web_search" }] })
    .withResponse();
  expect(response.headers.get("x-relay-ignored-fields")).toBe("tools.web_search");
});

test("a stream that breaks off ends with response.failed", async () => {
  const final = await client.responses.stream({ model, input: "[[truncate]]" }).finalResponse();
  expect(final).toMatchObject({ status: "failed", error: { code: "server_error" } });
});
