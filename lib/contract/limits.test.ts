import { expect, test } from "vitest";
import { endpoints } from "./endpoints";
import { imageRequest } from "./image";
import { CHAT_BODY_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX, PROMPT_LENGTH_MAX } from "./limits";

test("the documented limits are those in force", () => {
  expect(CHAT_BODY_MEBIBYTES_MAX * 1024 * 1024).toBe(endpoints.createChatCompletion.bodyBytesMax);
  expect(MEDIA_BODY_MEBIBYTES_MAX * 1024 * 1024).toBe(endpoints.createVideoTask.bodyBytesMax);
  const ask = (length: number) =>
    imageRequest.safeParse({ model: "a", prompt: "x".repeat(length) });
  expect([ask(PROMPT_LENGTH_MAX).success, ask(PROMPT_LENGTH_MAX + 1).success]).toEqual([
    true,
    false,
  ]);
});
