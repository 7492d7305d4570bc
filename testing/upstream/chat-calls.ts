/** Chat calls to upstreams with scripted answers. */
import { createOpenAiChat } from "@/lib/upstream/openai/chat-provider";
import type {
  Channel,
  ChatEnd,
  ChatProvider,
  ChatResult,
  JsonObject,
  UpstreamFailure,
} from "@/lib/upstream/provider";
import { type Script, startUpstream, type TestUpstream } from "./test-upstream";

export const plainBody = '{"model":"upstream-name","messages":[]}';

interface Streamed {
  readonly chunks: JsonObject[];
  readonly end: ChatEnd;
  readonly failure: UpstreamFailure | null;
}

export function openChatCalls(provider: ChatProvider = createOpenAiChat()) {
  const upstreams: TestUpstream[] = [];

  async function upstreamWith(...given: Parameters<typeof startUpstream>): Promise<TestUpstream> {
    const upstream = await startUpstream(...given);
    upstreams.push(upstream);
    return upstream;
  }

  async function complete(script: Script, overrides: Partial<Channel> = {}): Promise<ChatResult> {
    return provider.complete((await upstreamWith(script)).channel(overrides), plainBody);
  }

  function stream(channel: Channel): Promise<Streamed> {
    const chunks: JsonObject[] = [];
    return new Promise((resolve) => {
      provider.stream(channel, plainBody, {
        onChunk: (one) => chunks.push(one),
        onBatchEnd: () => {},
        onStall: () => {},
        onCut: () => {},
        onEnd: (end, failure) => resolve({ chunks, end, failure }),
      });
    });
  }

  return {
    provider,
    upstreamWith,
    streamed: async (script: Script, overrides: Partial<Channel> = {}) =>
      stream((await upstreamWith(script)).channel(overrides)),
    async failed(script: Script, overrides: Partial<Channel> = {}): Promise<UpstreamFailure> {
      const result = await complete(script, overrides);
      if (result.isOk) throw new Error("it did not fail");
      return result.failure;
    },
    async close() {
      await provider.close();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}
