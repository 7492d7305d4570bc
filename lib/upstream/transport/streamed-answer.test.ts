import { expect, test } from "vitest";
import type { ChatEnd, UpstreamFailure } from "../provider";
import { StreamedAnswer } from "./streamed-answer";

test("an answer that could not be asked for ends the stream once, as surely free", async () => {
  const ended = await new Promise<[ChatEnd, UpstreamFailure | null]>((resolve) => {
    new StreamedAnswer(Promise.reject(new Error("not a request")), {
      onChunk() {},
      onBatchEnd() {},
      onStall() {},
      onCut() {},
      onEnd: (...end) => resolve(end),
    });
  });
  expect(ended).toMatchObject([{ usage: null }, { isSurelyFree: true }]);
});
