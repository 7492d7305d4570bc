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
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentOf, runAgent } from "@/testing/clients/agents";
import { DONE, difficult, LOOKED_AT } from "@/testing/clients/difficult-upstream";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { serveFind } from "@/testing/stage/serve-find";
import { startUpstream } from "@/testing/upstream/test-upstream";

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

/** A relay at an upstream of its own, and the places at which an agent looked. */
interface Place {
  readonly relay: TestRelay;
  readonly origin: string;
  readonly looked: string[];
  look(input: { place: string }): string;
  close(): Promise<void>;
}

async function openPlace(silence: number): Promise<Place> {
  const upstream = await startUpstream(difficult(silence));
  const relay = await openTestRelay({ channels: [upstream.channel()] });
  const web = await serveFind(relay.find);
  const looked: string[] = [];
  return {
    relay,
    origin: web.origin,
    looked,
    look({ place }) {
      looked.push(place);
      return `${place} is quiet`;
    },
    async close() {
      await web.close();
      await relay.close();
      await upstream.close();
    },
  };
}

const settings = ({ origin }: Place) => ({ apiKey: "good", baseURL: `${origin}/v1` });

const models: Readonly<Record<string, (at: Place) => LanguageModel>> = {
  "chat completions": (at) => createOpenAICompatible({ name: "relay", ...settings(at) })(MODEL),
  "the Responses API": (at) => createOpenAI(settings(at)).responses(MODEL),
  "the Messages API": (at) => createAnthropic(settings(at))(MODEL),
};

const aiAgents = Object.entries(models).flatMap(([api, modelOf]) => [
  [
    `AI SDK, ${api}, plain`,
    async (at: Place) => (await generateText(aiTask(modelOf(at), at))).text,
  ] as const,
  [
    `AI SDK, ${api}, stream`,
    async (at: Place) => await streamText(aiTask(modelOf(at), at)).text,
  ] as const,
]);

const aiTask = (model: LanguageModel, { look }: Place) => ({
  model,
  tools: {
    look: tool({
      description: described.description,
      inputSchema: jsonSchema<{ place: string }>(parameters),
      execute: look,
    }),
  },
  system: "You look at places.",
  prompt: PROMPT,
  stopWhen: stepCountIs(5),
  maxRetries: 0,
});

const openAi = (at: Place) => new OpenAI({ ...settings(at), maxRetries: 0 }).chat.completions;
const openAiTask = ({ look }: Place) => ({
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

const messagesTool = ({ look }: Place) => ({
  ...{ type: "custom" as const, name: described.name, description: described.description },
  ...{ input_schema: parameters, run: look, parse: (input: unknown) => input as { place: string } },
});
const messagesTask = (at: Place) => ({
  ...{ model: MODEL, max_tokens: 500, system: "You look at places.", tools: [messagesTool(at)] },
  messages: [{ role: "user" as const, content: PROMPT }],
});
const anthropic = ({ origin }: Place) =>
  new Anthropic({ apiKey: "good", baseURL: origin, maxRetries: 0 }).beta.messages;
const textIn = (content: readonly { type: string }[]) =>
  content.flatMap((block) => ("text" in block ? [String(block.text)] : [])).join("");

const agents: readonly (readonly [string, (at: Place) => Promise<string | null>])[] = [
  ...aiAgents,
  ["openai, chat completions, plain", (at) => openAi(at).runTools(openAiTask(at)).finalContent()],
  [
    "openai, chat completions, stream",
    (at) =>
      openAi(at)
        .runTools({ ...openAiTask(at), stream: true })
        .finalContent(),
  ],
  [
    "the library of Claude Code, plain",
    async (at) => textIn((await anthropic(at).toolRunner(messagesTask(at))).content),
  ],
  [
    "the library of Claude Code, stream",
    async (at) => {
      let last: Anthropic.Beta.BetaMessage | undefined;
      for await (const stream of anthropic(at).toolRunner({ ...messagesTask(at), stream: true }))
        last = await stream.finalMessage();
      return textIn(last?.content ?? []);
    },
  ],
];

async function assertDone(
  relay: TestRelay,
  text: string | null,
  places: readonly string[],
  known = 0,
): Promise<void> {
  expect(text).toBe(DONE);
  expect([...places].sort()).toEqual([...LOOKED_AT].sort());
  await vi.waitFor(async () => expect((await relay.balance()).held).toBe(0n), 10_000);
  const ends = (await relay.ends()).slice(known);
  expect(ends.map(({ outcome }) => outcome)).toEqual(["settled", "settled", "settled"]);
}

// Side by side, since they wait.
test.concurrent.each(agents)("%s", { timeout: TASK_MS }, async (_, run) => {
  const at = await openPlace(silenceMs);
  try {
    await assertDone(at.relay, await run(at), at.looked);
  } finally {
    await at.close();
  }
});

/** They are installed for the test. */
const newer = (["langchain", "ai-sdk"] as const).flatMap((library) =>
  (["chat", "responses", "messages"] as const).flatMap((api) =>
    (["plain", "stream"] as const).map((form) => [library, api, form] as const),
  ),
);

describe("newer libraries, at an upstream that is silent for less long", () => {
  let at: Place;
  beforeAll(async () => {
    at = await openPlace(100);
  });
  afterAll(() => at.close());

  /** An agent's process starts, and its library may have to be installed first. */
  const timeout = 330_000;

  test.for(newer)("%s, %s, %s", { timeout }, async ([library, api, form], { skip }) => {
    const agent = agentOf(library);
    if ("reason" in agent) return skip(agent.reason);
    const { origin, relay } = at;
    const known = (await relay.ends()).length;
    const task = { api, form, origin, model: MODEL, parameters, prompt: PROMPT };
    const done = await runAgent(library, agent.folder, task);
    await assertDone(relay, done.text, done.looked, known);
  });
});
