/**
 * An agent of the unmodified `ai` package brings back what the model thought before it called a
 * tool, in every dialect: upstreams in thinking mode refuse the call without it.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { isRecord } from "@/lib/values/records";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  streaming,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay();
const web = await opened(serveFind(setup.relay.find));

const THOUGHT = "I look it up.";
const place = () => ({ apiKey: "good", baseURL: `${web.origin}/v1` });
const models: readonly (readonly [string, () => LanguageModel])[] = [
  ["chat", () => createOpenAICompatible({ ...place(), name: "relay" }).chatModel("RelayV1")],
  ["messages", () => createAnthropic(place())("RelayV1")],
  ["responses", () => createOpenAI(place())("RelayV1")],
];

const usage = usageOf(10, 10);
const call = (id: string) => ({
  ...{ id, type: "function", index: 0 },
  function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
});

function answering(body: Record<string, unknown>, delta: object, finish: string): Script {
  if (body.stream === true)
    return streaming(
      chunk({ role: "assistant", ...delta }),
      chunk({}, {}, finish),
      usageChunk(usage),
    );
  const message = { role: "assistant", content: null, ...delta };
  const choices = [{ index: 0, message, finish_reason: finish }];
  return (response) => sendJson(response, completion("", { usage, choices }));
}

/** Thinks before each of two calls, and refuses a call that comes back without its thought. */
const thinking: Script = (response, request, count) => {
  const messages: unknown[] = Array.isArray(request.body.messages) ? request.body.messages : [];
  const said = messages.filter(isRecord).filter(({ role }) => role === "assistant");
  if (said.some(({ reasoning_content: thought }) => thought !== THOUGHT)) {
    const message = "thinking is enabled but reasoning_content is missing";
    return sendJson(response, JSON.stringify({ error: { message } }), 400);
  }
  const next =
    said.length < 2
      ? answering(
          request.body,
          { reasoning_content: THOUGHT, tool_calls: [call(`call_${said.length}`)] },
          "tool_calls",
        )
      : answering(request.body, { content: "rain" }, "stop");
  return next(response, request, count);
};

const tools = {
  get_weather: tool({
    description: "the weather",
    inputSchema: jsonSchema<object>({ type: "object", properties: { city: { type: "string" } } }),
    execute: async () => "rain",
  }),
};

test.each(
  models.flatMap(([name, model]) =>
    (["plain", "stream"] as const).map((form) => [name, form, model] as const),
  ),
)("%s, %s", async (_name, form, model) => {
  setup.script = thinking;
  const known = (await setup.relay.ends()).length;
  const request = {
    ...{ model: model(), prompt: "The weather in Oslo?", tools, maxRetries: 0 },
    ...{ stopWhen: stepCountIs(4), maxOutputTokens: 2000 },
  };
  const answer = form === "stream" ? streamText(request) : await generateText(request);
  expect(await answer.text).toBe("rain");
  const ends = (await setup.relay.ends()).slice(known);
  expect(ends.map(({ outcome }) => outcome)).toEqual(["settled", "settled", "settled"]);
});
