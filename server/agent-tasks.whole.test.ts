/**
 * Agents of unmodified libraries each complete a task of three tool calls, two of them in parallel,
 * at an upstream with all the habits that stop agents elsewhere. Each call of the model is one
 * charge; the upstream's refusal of `developer` is none.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { agentOf, runAgent } from "@/testing/clients/agents";
import { DONE, difficult, LOOKED_AT } from "@/testing/clients/difficult-upstream";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import type { Listening } from "@/testing/stage/listen";
import { serveFind } from "@/testing/stage/serve-find";
import { startUpstream, type TestUpstream } from "@/testing/upstream/test-upstream";

/** The silence before each answer. */
const silenceMs = 35_000;
const TASK_MS = 30_000 + 4 * silenceMs;
const MODEL = "RelayV1";
const PROMPT = "Look at all places.";
const parameters = {
  type: "object" as const,
  properties: { place: { type: "string" as const } },
  required: ["place"],
};
const described = { name: "look", description: "Looks at a place" };

let upstream: TestUpstream;
let relay: TestRelay;
let web: Listening;
let looked: string[] = [];
let known = 0;

beforeAll(async () => {
  upstream = await startUpstream(difficult(silenceMs));
  relay = await openTestRelay({
    channels: [upstream.channel()],
  });
  web = await serveFind(relay.find);
});
beforeEach(async () => {
  looked = [];
  known = (await relay.ends()).length;
});
afterAll(async () => {
  await web.close();
  await relay.close();
  await upstream.close();
});

const look = ({ place }: { place: string }) => {
  looked.push(place);
  return `${place} is quiet`;
};

const tools = {
  look: tool({
    description: described.description,
    inputSchema: jsonSchema<{ place: string }>(parameters),
    execute: look,
  }),
};

const settings = () => ({ apiKey: "good", baseURL: `${web.origin}/v1` });

const models: Readonly<Record<string, () => LanguageModel>> = {
  "chat completions": () => createOpenAICompatible({ name: "relay", ...settings() })(MODEL),
  "the Responses API": () => createOpenAI(settings()).responses(MODEL),
  "the Messages API": () => createAnthropic(settings())(MODEL),
};

const aiAgents = Object.entries(models).flatMap(([api, modelOf]) => [
  [
    `AI SDK, ${api}, plain`,
    async () => (await generateText({ ...task(modelOf()), maxRetries: 0 })).text,
  ] as const,
  [
    `AI SDK, ${api}, stream`,
    async () => await streamText({ ...task(modelOf()), maxRetries: 0 }).text,
  ] as const,
]);

const task = (model: LanguageModel) => ({
  model,
  tools,
  system: "You look at places.",
  prompt: PROMPT,
  stopWhen: stepCountIs(5),
});

const openAi = () => new OpenAI({ ...settings(), maxRetries: 0 });
const openAiTask = () => ({
  model: MODEL,
  messages: [
    { role: "developer" as const, content: "You look at places." },
    { role: "user" as const, content: PROMPT },
  ],
  tools: [
    {
      type: "function" as const,
      function: { ...described, parameters, parse: JSON.parse, function: look },
    },
  ],
});

const messagesTool = () => ({
  ...{ type: "custom" as const, name: described.name, description: described.description },
  ...{ input_schema: parameters, run: look, parse: (input: unknown) => input as { place: string } },
});
const messagesTask = () => ({
  ...{ model: MODEL, max_tokens: 500, system: "You look at places.", tools: [messagesTool()] },
  messages: [{ role: "user" as const, content: PROMPT }],
});
const anthropic = () =>
  new Anthropic({ apiKey: "good", baseURL: web.origin, maxRetries: 0 }).beta.messages;
const textIn = (content: readonly { type: string }[]) =>
  content.flatMap((block) => ("text" in block ? [String(block.text)] : [])).join("");

const agents: readonly (readonly [string, () => Promise<string | null>])[] = [
  ...aiAgents,
  [
    "openai, chat completions, plain",
    () => openAi().chat.completions.runTools(openAiTask()).finalContent(),
  ],
  [
    "openai, chat completions, stream",
    () =>
      openAi()
        .chat.completions.runTools({ ...openAiTask(), stream: true })
        .finalContent(),
  ],
  [
    "the library of Claude Code, plain",
    async () => textIn((await anthropic().toolRunner(messagesTask())).content),
  ],
  [
    "the library of Claude Code, stream",
    async () => {
      let last: Anthropic.Beta.BetaMessage | undefined;
      for await (const stream of anthropic().toolRunner({ ...messagesTask(), stream: true }))
        last = await stream.finalMessage();
      return textIn(last?.content ?? []);
    },
  ],
];

async function assertDone(text: string | null, places: readonly string[]): Promise<void> {
  expect(text).toBe(DONE);
  expect([...places].sort()).toEqual([...LOOKED_AT].sort());
  await expect.poll(async () => (await relay.balance()).held).toBe(0n);
  const ends = (await relay.ends()).slice(known);
  expect(ends.map(({ outcome }) => outcome)).toEqual(["settled", "settled", "settled"]);
}

test.each(agents)("%s", { timeout: TASK_MS }, async (_, run) => {
  await assertDone(await run(), looked);
});

/** They are installed for the test. */
const newer = (["langchain", "ai-sdk"] as const).flatMap((library) =>
  (["chat", "responses", "messages"] as const).flatMap((api) =>
    (["plain", "stream"] as const).map((form) => [library, api, form] as const),
  ),
);

describe("newer libraries, at an upstream that is silent for less long", () => {
  let quick: TestUpstream;
  beforeAll(async () => {
    quick = await startUpstream(difficult(100));
    relay.setting.channels = [quick.channel()];
  });
  afterAll(() => quick.close());

  /** An agent's process starts, and its library may have to be installed first. */
  const timeout = 330_000;

  test.for(newer)("%s, %s, %s", { timeout }, async ([library, api, form], { skip }) => {
    const agent = agentOf(library);
    if ("reason" in agent) return skip(agent.reason);
    const task = { api, form, origin: web.origin, model: MODEL, parameters, prompt: PROMPT };
    const done = await runAgent(library, agent.folder, task);
    await assertDone(done.text, done.looked);
  });
});
