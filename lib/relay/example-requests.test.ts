/** Tests that the amounts of the examples on the pages are those that the relay would hold. */

import { expect, test } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { firstModelOf } from "../catalog/models";
import { type ChatRequest, chatRequest } from "../contract/chat";
import { examples } from "../contract/examples";
import type { VideoRequest } from "../contract/video";
import { validate } from "../http/validate";
import type { PriceBook } from "../price-book/price-version";
import { chatExample, videoExample } from "../pricing/example-requests";
import { priceOf, type TokenUsage } from "../pricing/price";
import { orderText } from "./chat/text-order";
import { requestedVideoOfCall } from "./video/requested-video";
import { orderVideo } from "./video/video-order";

const ONE = 1_000_000;
const price = { input: 80_000_000n, output: 800_000_000n };
const priceBook: PriceBook = {
  current: (model) => ({ id: "1", model, price, effectiveAt: new Date(0) }),
};
const costOf = (usage: TokenUsage) => priceOf(usage, price, ONE);

test("the chat example holds what the relay holds for it, and uses no more", () => {
  const body: unknown = examples()["/v1/chat/completions"]?.find(
    ({ name }) => name === "capped",
  )?.body;
  validate(chatRequest, body);
  const { inputTokensMax, outputTokensMax, holdAmount } = orderText(
    body as ChatRequest,
    usualPrincipal,
    priceBook,
    undefined,
  );
  const { bound, used } = chatExample;
  expect(bound).toEqual({ inputTokens: inputTokensMax, outputTokens: outputTokensMax });
  expect(costOf(bound)).toBe(holdAmount);
  expect(used.inputTokens).toBeLessThan(bound.inputTokens);
  expect(used.outputTokens).toBeLessThan(bound.outputTokens);
});

test("the video example is quoted and held as the relay does", () => {
  const model = firstModelOf("video", ({ audio }) => audio);
  const request: VideoRequest = { model: model.id, prompt: "A lighthouse." };
  const { quoteAmount, holdAmount } = orderVideo(
    requestedVideoOfCall(request),
    usualPrincipal,
    priceBook,
  );
  const { quoted, held } = videoExample(model);
  expect([costOf(quoted), costOf(held)]).toEqual([quoteAmount, holdAmount]);
});
