/** Tests that a channel's test finds out what its upstream cannot read, within its ten questions. */
import { beforeEach, expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import {
  chunk,
  type Script,
  saying,
  sendJson,
  startUpstream,
  streaming,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { findProfile } from "./find-profile";
import { createProber } from "./probe";
import { fieldReadings, turnReadings } from "./probe-requests";
import type { JsonObject } from "./provider";
import { createProviders } from "./wiring/create-providers";

let script: Script;
const upstream = await opened(startUpstream((...args) => script(...args)));
const providers = await opened(createProviders());
beforeEach(() => {
  upstream.seen.length = 0;
});

const all = (value: boolean, names: readonly string[] = [...turnReadings, ...fieldReadings]) =>
  Object.fromEntries(names.map((name) => [name, value]));
const refusal = (message: string) =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } });

/** A stream that keeps its cap. */
const counted: Script = (response) =>
  streaming(
    ...Array.from({ length: 10 }, () => chunk({ content: "1, " })),
    chunk({}, {}, "length"),
    usageChunk(usageOf(10, 16)),
  )(response);
const answers: Script = (...asked) =>
  (asked[1].body.stream === true ? counted : saying("OK", usageOf(10, 2)))(...asked);

/** The first of these that is true of the body is refused. */
const refusing =
  (...rules: [is: (body: JsonObject) => boolean, message: string][]): Script =>
  (response, request, count) => {
    const rule = rules.find(([is]) => is(request.body));
    if (rule === undefined) return answers(response, request, count);
    sendJson(response, refusal(rule[1]), 400);
  };
const says = (text: string) => (body: JsonObject) => JSON.stringify(body).includes(text);

async function found(protocol: "openai" | "anthropic" = "openai") {
  const channel = upstream.channel({ protocol });
  const prober = createProber(providers.chat, channel, "upstream-name", () => {});
  const { profile, reads } = await findProfile(prober, channel, providers.listsModels);
  expect(upstream.seen.length).toBeLessThanOrEqual(10);
  return { profile, reads };
}

test("an upstream that reads everything", async () => {
  script = refusing();
  expect((await found()).reads).toEqual(all(true));
});

test("one that knows neither the role developer nor a schema of the answer", async () => {
  script = refusing(
    [
      says('"developer"'),
      "messages[0].role: unknown variant `developer`, expected one of `system`",
    ],
    [says("json_schema"), "This response_format type is unavailable now"],
  );
  expect((await found()).reads).toEqual({ ...all(true), developer: false, json_schema: false });
});

test("one that refuses a schema beside tools without naming it: each is asked for alone", async () => {
  script = refusing([
    (body) => body.tools !== undefined && body.response_format !== undefined,
    "Invalid combination.",
  ]);
  expect((await found()).reads).toEqual(all(true));
});

test("one that refuses what it does not name: nothing is said of it", async () => {
  script = refusing([(body) => body.tools !== undefined, "Invalid request."]);
  expect((await found()).reads).toEqual(all(true, fieldReadings));
});

test("one that refuses one thing after the other: the questions end, and only what was refused is a no", async () => {
  const names = ["store", "metadata", "seed", "user", "reasoning_effort", "parallel_tool_calls"];
  script = refusing(
    ...names.map(
      (name) =>
        [(body: JsonObject) => body[name] !== undefined, `Unknown parameter: '${name}'.`] as [
          (body: JsonObject) => boolean,
          string,
        ],
    ),
  );
  const { reads } = await found();
  expect(Object.keys(reads).length).toBeGreaterThan(2);
  expect(Object.entries(reads).filter(([name, isRead]) => isRead || !names.includes(name))).toEqual(
    [],
  );
});

test("one that takes no forced call, but tools", async () => {
  script = (response, request, count) => {
    const { tool_choice: choice, tools, messages } = request.body;
    if (choice !== undefined)
      return sendJson(
        response,
        refusal("deepseek-reasoner does not support this tool_choice"),
        400,
      );
    const isAsked = tools !== undefined && JSON.stringify(messages).includes("Call report");
    if (!isAsked) return answers(response, request, count);
    const call = { id: "a", type: "function", function: { name: "report", arguments: "{}" } };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
    return sendJson(response, JSON.stringify({ choices, usage: usageOf(10, 2) }));
  };
  const { profile, reads } = await found();
  expect(profile.tools).toBe(true);
  expect(reads).toEqual({ ...all(true), tool_choice: false });
});

test("one whose streams carry usage, though it refuses to be asked for it", async () => {
  script = (response, request, count) => {
    if (request.body.stream_options !== undefined)
      return sendJson(response, refusal("Unknown parameter: 'stream_options'."), 400);
    return answers(response, request, count);
  };
  const { profile, reads } = await found();
  expect(profile).toMatchObject({ streamUsage: true, maxTokens: true });
  expect(reads).toEqual({ ...all(true), stream_options: false });
});

test("one of the Messages API is not asked: it has a form of its own", async () => {
  script = (response) => sendJson(response, "{}", 400);
  expect((await found("anthropic")).reads).toEqual({});
});
