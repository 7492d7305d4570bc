/**
 * An agent whose tools are those of `/mcp`, called by the official client: three calls, two of them in
 * parallel, at an upstream with all the habits that stop agents elsewhere.
 */
import { createOpenAI } from "@ai-sdk/openai";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { dynamicTool, generateText, jsonSchema, stepCountIs, streamText } from "ai";
import { beforeAll, expect, test } from "vitest";
import { type CallOf, DONE, difficult } from "@/testing/clients/difficult-upstream";
import { openTestRelay } from "@/testing/relay/test-relay";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";
import { startUpstream } from "@/testing/upstream/test-upstream";

/** What the tool is asked for at each place. */
const families: Readonly<Record<string, object>> = {
  north: { family: "image" },
  south: { family: "video" },
};
const listing: CallOf = (_tools, place) => ({
  name: "list_models",
  arguments: JSON.stringify(families[place] ?? {}),
});

let called: unknown[] = [];

const upstream = await opened(startUpstream(difficult(50, listing)));
const relay = await opened(openTestRelay({ channels: [upstream.channel()], keepAliveMs: 20 }));
const web = await opened(serveFind(relay.find));
const client = await opened(new Client({ name: "agent", version: "1" }));
const requestInit = { headers: { authorization: "Bearer good" } };
beforeAll(async () => {
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${web.origin}/mcp`), { requestInit }),
  );
});

async function task() {
  const { tools } = await client.listTools();
  const wrapped = tools.map(({ name, description, inputSchema }) => [
    name,
    dynamicTool({
      ...(description !== undefined && { description }),
      inputSchema: jsonSchema(inputSchema),
      async execute(input) {
        called.push(input);
        const given = typeof input === "object" ? { ...input } : {};
        const { content, isError } = await client.callTool({ name, arguments: given });
        if (isError) throw new Error(JSON.stringify(content));
        return content;
      },
    }),
  ]);
  const model = createOpenAI({ apiKey: "good", baseURL: `${web.origin}/v1` }).responses("RelayV1");
  return {
    ...{ model, system: "You look.", prompt: "Look at all places.", maxRetries: 0 },
    ...{ tools: Object.fromEntries(wrapped), stopWhen: stepCountIs(5) },
  };
}

test.each(["plain", "stream"])("%s", async (form) => {
  called = [];
  const known = (await relay.ends()).length;
  const asked = await task();
  const text = form === "stream" ? await streamText(asked).text : (await generateText(asked)).text;
  expect(text).toBe(DONE);
  expect(called).toHaveLength(3);
  expect(called).toEqual(expect.arrayContaining([...Object.values(families), {}]));
  await expect.poll(async () => (await relay.balance()).held).toBe(0n);
  const ends = (await relay.ends()).slice(known).map(({ outcome }) => outcome);
  expect(ends).toEqual(["settled", "settled", "settled"]);
});
