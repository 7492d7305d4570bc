/** Tests what the conformance of a channel says of upstreams that do everything, and of others. */
import { expect, test } from "vitest";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  startUpstream,
  streaming,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { tryConformance } from "./conformance";
import type { Channel, JsonObject } from "./provider";
import { createProviders } from "./wiring/create-providers";

let script: Script;
const upstream = await opened(startUpstream((...args) => script(...args)));
const sandbox = await opened(startQuickSandbox());
const providers = await opened(createProviders());

const usage = usageOf(10, 5);
const refusal = (message: string) => JSON.stringify({ error: { message } });
const has = (body: JsonObject, text: string) => JSON.stringify(body).includes(text);
const call = (id: string) => ({
  id,
  type: "function",
  function: { name: "report", arguments: '{"word":"OK"}' },
});

/** The refusals of an upstream that does everything. */
function refusalOf(body: JsonObject): string | null {
  if (Number(body.max_tokens) > 9000)
    return "max_tokens is too large: this model supports at most 9000 completion tokens";
  if (has(body, "word word word"))
    return "This model's maximum context length is 9000 tokens. However, your messages resulted in 1500000 tokens.";
  if (has(body, "base64,AAAA")) return "Could not process image";
  if (has(body, '"nothing"')) return "Invalid schema for function 'report'";
  if (has(body, "call_1") && !has(body, "done"))
    return "An assistant message with 'tool_calls' must be followed by tool messages";
  return null;
}

function messageOf(body: JsonObject): JsonObject {
  const thinks = body.reasoning_effort === undefined ? {} : { reasoning_content: "hm" };
  const role = "assistant";
  if (body.tools !== undefined && !has(body, "done"))
    return {
      role,
      ...thinks,
      tool_calls: has(body, "twice") ? [call("a"), call("b")] : [call("a")],
    };
  const isJson = body.response_format !== undefined;
  const text = isJson ? '{"word":"OK"}' : has(body, "image_url") ? "Red." : "OK";
  return { role, ...thinks, content: text };
}

const answers: Script = (response, { body }) => {
  const refused = refusalOf(body);
  if (refused !== null) return sendJson(response, refusal(refused), 400);
  const message = messageOf(body);
  const reason = has(body, "Count") ? "length" : "stop";
  if (body.stream !== true) {
    const choices = [{ index: 0, message, finish_reason: reason }];
    return sendJson(response, completion("", { choices, usage }));
  }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const delta = {
    ...message,
    ...(calls.length > 0 ? { tool_calls: calls.map((one, index) => ({ index, ...one })) } : {}),
  };
  streaming(chunk(delta), chunk({}, {}, reason), usageChunk(usage))(response);
};

const verdictsOf = (channel: Channel, model: string, isLong = false) =>
  tryConformance(providers.chat, channel, model, { isLong, note: () => {} });
const not = (verdicts: Awaited<ReturnType<typeof verdictsOf>>, result: string) =>
  verdicts.filter((one) => one.result !== result);

test("of an upstream that does everything, and refuses in known words, everything works", async () => {
  script = answers;
  const usual = await verdictsOf(upstream.channel(), "m");
  expect(not(usual, "works")).toMatchObject([{ result: "not tried" }]);
  expect(not(await verdictsOf(upstream.channel(), "m", true), "works")).toEqual([]);
});

test("of one that lacks the role developer, tools at once, and usage, these are named", async () => {
  script = (response, request, count) => {
    const { body } = request;
    if (has(body, '"developer"'))
      return sendJson(response, refusal("developer is not one of ['system', 'user']"), 400);
    if (has(body, "twice")) return sendJson(response, completion("no", { usage }));
    if (has(body, "base64,AAAA")) return sendJson(response, completion("I see", { usage }));
    return answers(response, request, count);
  };
  const verdicts = not(await verdictsOf(upstream.channel(), "m"), "works");
  expect(verdicts.map(({ situation, result }) => [situation, result])).toEqual([
    ["parallel tools", "differs"],
    ["second turn", "refused"],
    ["second turn, stream", "refused"],
    ["role developer", "refused"],
    ["refusal: bad picture", "differs"],
    ["refusal: call without its result", "differs"],
    ["refusal: conversation too long", "not tried"],
  ]);
});

test("an upstream that fails is said to fail, and its words are not repeated", async () => {
  script = (response) => sendJson(response, refusal("secret words"), 500);
  const verdicts = await verdictsOf(upstream.channel(), "m");
  expect(new Set(verdicts.map(({ result }) => result))).toEqual(
    new Set(["failed", "differs", "not tried"]),
  );
  expect(JSON.stringify(verdicts)).not.toContain("secret");
});

test("the sandbox answers whole and in streams, calls tools, and keeps a schema", async () => {
  const { channel } = sandbox;
  const [model = ""] = Object.values(channel.models);
  const verdicts = await verdictsOf(channel, model);
  const works = verdicts.filter(({ result }) => result === "works").map((one) => one.situation);
  expect(works).toEqual(
    expect.arrayContaining(["plain", "stream", "tool", "second turn", "role developer", "json"]),
  );
});
