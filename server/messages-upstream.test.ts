/**
 * The unmodified `openai` and `@anthropic-ai/sdk` packages, through a relay whose only channel
 * speaks the Messages API: it is a second relay, which answers from the sandbox.
 */
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { createWebServer, type WebServer } from "./web-server";

let sandbox: Sandbox;
const relays: TestRelay[] = [];
const webs: WebServer[] = [];

/** A relay with its server, and the server's address. */
async function serve(channel: Sandbox["channel"]): Promise<string> {
  const relay = await openTestRelay({ channels: [channel] });
  const web = createWebServer({
    find: relay.find,
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  relays.push(relay);
  webs.push(web);
  return `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
}

let origin: string;
beforeAll(async () => {
  sandbox = await startSandbox({ pace: 0 });
  const baseUrl = `${await serve(sandbox.channel)}/v1`;
  const models = { RelayV1: "RelayV1" };
  const channel = { ...sandbox.channel, id: "ch_messages", apiKey: "good", baseUrl, models };
  origin = await serve({ ...channel, protocol: "anthropic" });
});
afterAll(async () => {
  for (const { server } of webs) {
    server.close();
    server.closeAllConnections();
  }
  for (const relay of relays) await relay.close();
  await sandbox.close();
});

const schema = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
};
const question = "Use get_weather for Rome.";
const MODEL = "RelayV1";

/** Both relays charged each call, by the same counts. */
async function expectSameCharges(calls: number) {
  const [inner, outer] = await Promise.all(relays.map((relay) => relay.ends()));
  const counts = (ends = inner) =>
    ends?.slice(-calls).map(({ outcome, input, output }) => [outcome, input, output]);
  expect(counts(outer)).toEqual(counts());
  expect(counts()?.every(([outcome]) => outcome === "settled")).toBe(true);
}

test.each([false, true])("openai: tools over two turns (stream: %s)", async (isStream) => {
  const client = new OpenAI({ apiKey: "good", baseURL: `${origin}/v1`, maxRetries: 0 });
  const tools = [
    { type: "function" as const, function: { name: "get_weather", parameters: schema } },
  ];
  const ask = (messages: OpenAI.ChatCompletionMessageParam[]) => {
    const request = { model: MODEL, messages, tools, max_tokens: 500 };
    return isStream
      ? client.chat.completions.stream(request).finalChatCompletion()
      : client.chat.completions.create(request);
  };
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  const first = (await ask(messages)).choices[0];
  expect(first?.finish_reason).toBe("tool_calls");
  const call = first?.message.tool_calls?.[0];
  if (first === undefined || call?.type !== "function") throw new Error("no tool was called");
  expect(JSON.parse(call.function.arguments)).toHaveProperty("city");
  messages.push(first.message, { role: "tool", tool_call_id: call.id, content: "sunny, 21" });
  const second = (await ask(messages)).choices[0];
  expect(second?.finish_reason).toBe("stop");
  expect(second?.message.content).toContain("21");
  await expectSameCharges(2);
});

test.each([false, true])(
  "@anthropic-ai/sdk: tools over two turns (stream: %s)",
  async (isStream) => {
    const client = new Anthropic({ apiKey: "good", baseURL: origin, maxRetries: 0 });
    const tools = [{ name: "get_weather", input_schema: schema }];
    const ask = (messages: Anthropic.MessageParam[]) => {
      const request = { model: MODEL, messages, tools, max_tokens: 500 };
      return isStream
        ? client.messages.stream(request).finalMessage()
        : client.messages.create(request);
    };
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
    const first = await ask(messages);
    expect(first.stop_reason).toBe("tool_use");
    const use = first.content.find((block) => block.type === "tool_use");
    expect(use?.input).toHaveProperty("city");
    const result = {
      type: "tool_result" as const,
      tool_use_id: use?.id ?? "",
      content: "sunny, 21",
    };
    messages.push(
      { role: "assistant", content: first.content },
      { role: "user", content: [result] },
    );
    const second = await ask(messages);
    expect(second.stop_reason).toBe("end_turn");
    expect(JSON.stringify(second.content)).toContain("21");
    await expectSameCharges(2);
  },
);
