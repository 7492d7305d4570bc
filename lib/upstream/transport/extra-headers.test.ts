/** Tests that a channel's further headers reach its upstream with every kind of request. */
import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { createProviders } from "../wiring/create-providers";

const headers = { "x-region": "eu", "user-agent": "own", "anthropic-version": "2099-01-01" };
const upstream = await opened(startUpstream((response) => sendJson(response, "{}", 418)));
const providers = await opened(createProviders());

const silent = { onChunk() {}, onBatchEnd() {}, onStall() {}, onCut() {} };

test.each(["openai", "anthropic"] as const)(
  "%s: they are sent with chats, streams and lists, in place of the relay's of the same name",
  async (protocol) => {
    upstream.seen.length = 0;
    const channel = upstream.channel({ protocol, headers });
    const body = JSON.stringify({ model: "m", max_tokens: 1, messages: [] });
    await providers.chat.complete(channel, body);
    await new Promise<void>((resolve) => {
      providers.chat.stream(channel, body, { ...silent, onEnd: () => resolve() });
    });
    await providers.reach(channel);
    expect(upstream.seen).toHaveLength(3);
    for (const request of upstream.seen)
      expect(request.headers).toMatchObject({ ...headers, connection: "keep-alive" });
    const key = protocol === "anthropic" ? "x-api-key" : "authorization";
    expect(upstream.seen[0]?.headers[key]).toContain("upstream-secret");
  },
);
