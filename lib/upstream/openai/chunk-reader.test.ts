import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { openChatCalls, plainBody } from "@/testing/upstream/chat-calls";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  streamType,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import type { UpstreamFailure } from "../provider";

const calls = await opened(openChatCalls());
const { provider, streamed, upstreamWith } = calls;

test("a stream that trickles bytes without an event ends at the channel's own timeout", async () => {
  const result = await streamed(
    async (response) => {
      response.writeHead(200, streamType);
      response.write(chunk({ content: "a" }));
      while (!response.destroyed) {
        response.write("d");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    { timeoutSeconds: 1 },
  );
  expect(result.failure).toMatchObject({ code: "upstream_timeout", mayHaveCost: true });
  expect(result.chunks).toHaveLength(1);
});

test("a stream is complete with [DONE], with a finish reason and a clean end, or when cut after its usage; otherwise it broke off", async () => {
  const head = (response: ServerResponse) => response.writeHead(200, streamType);
  const say =
    (...texts: string[]): Script =>
    (response) => {
      head(response);
      response.end(texts.join(""));
    };
  const cut =
    (...texts: string[]): Script =>
    (response) => {
      head(response);
      response.write(texts.join(""), () => setTimeout(() => response.destroy(), 50));
    };
  const finish = chunk({}, {}, "stop");
  const usage = usageChunk(usageOf(1, 2));
  const counted = { usage: { inputTokens: 1, outputTokens: 2 } };
  expect(
    await streamed(say(chunk({ content: "a" }), finish, usage, "data: [DONE]\n\n")),
  ).toMatchObject({
    failure: null,
    end: { ...counted, hasContent: true, upstreamRef: "up-1" },
  });
  expect(await streamed(say(chunk({ content: "a" }), finish, usage))).toMatchObject({
    failure: null,
    end: counted,
  });
  expect(await streamed(say(chunk({ content: "a" }), finish))).toMatchObject({
    failure: null,
    end: { usage: null, usageFault: "missing" },
  });
  expect(await streamed(cut(chunk({ content: "a" }), finish, usage))).toMatchObject({
    failure: null,
    end: counted,
  });
  const broken = { code: "upstream_failed", mayHaveCost: true };
  expect(await streamed(cut(chunk({ content: "a" }), finish))).toMatchObject({ failure: broken });
  expect(await streamed(say(chunk({ content: "a" })))).toMatchObject({ failure: broken });
  // Usage that comes with a chunk in the middle is not the usage of the whole answer.
  expect(await streamed(cut(chunk({ content: "a" }, { usage: usageOf(1, 1) })))).toMatchObject({
    failure: broken,
  });
  expect(await streamed(say("data: nonsense\n\n"))).toMatchObject({
    failure: { code: "upstream_bad_response", mayHaveCost: true },
  });
  expect(await streamed(say('data: {"error":{"code":"content_filter"}}\n\n'))).toMatchObject({
    failure: { code: "content_rejected" },
  });
  expect(await streamed((response) => sendJson(response, "{}"))).toMatchObject({
    failure: { code: "upstream_bad_response" },
  });
  // A whole answer is read as the stream that was asked for.
  const whole = completion("x", { usage: usageOf(1, 2) });
  expect(await streamed((response) => sendJson(response, whole))).toMatchObject({
    failure: null,
    end: counted,
  });
});

test("a paused stream stops reading, and continues where it was", async () => {
  let written = 0;
  const piece = chunk({ content: "x".repeat(16_000) });
  const upstream = await upstreamWith(async (response) => {
    response.writeHead(200, streamType);
    for (let sent = 0; sent < 1000; sent++) {
      written++;
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
    }
    response.end(`${chunk({}, {}, "stop")}data: [DONE]\n\n`);
  });
  let chunks = 0;
  const ended = new Promise<UpstreamFailure | null>((resolve) => {
    const control = provider.stream(upstream.channel(), plainBody, {
      onChunk: () => {
        if (++chunks === 10) {
          control.pause();
          setTimeout(() => {
            expect(written).toBeLessThan(1000);
            control.resume();
          }, 300);
        }
      },
      onBatchEnd: () => {},
      onStall: () => {},
      onCut: () => {},
      onEnd: (_, failure) => resolve(failure),
    });
  });
  expect(await ended).toBeNull();
  expect(chunks).toBe(1001);
});
