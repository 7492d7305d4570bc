import { expect, test } from "vitest";
import { endpoints } from "./endpoints";
import { imageRequest } from "./image";
import { CHAT_TEXT_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX, PROMPT_LENGTH_MAX } from "./limits";

test("the documented limits are those in force", () => {
  const { createChatCompletion, createVideoTask } = endpoints;
  expect(CHAT_TEXT_MEBIBYTES_MAX * 1024 * 1024).toBe(createChatCompletion.textBytesMax);
  for (const row of [createChatCompletion, createVideoTask])
    expect(MEDIA_BODY_MEBIBYTES_MAX * 1024 * 1024).toBe(row.bodyBytesMax);
  const ask = (length: number) =>
    imageRequest.safeParse({ model: "a", prompt: "x".repeat(length) });
  expect([ask(PROMPT_LENGTH_MAX).success, ask(PROMPT_LENGTH_MAX + 1).success]).toEqual([
    true,
    false,
  ]);
});
