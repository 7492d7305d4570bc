import { expect, test } from "vitest";
import { usageOf as counts } from "@/testing/upstream/test-upstream";
import { readUsage, usageOf } from "./usage";

test.each<[string, object, object]>([
  [
    "under its usual names",
    { usage: counts(3, 5) },
    { usage: { inputTokens: 3, outputTokens: 5 }, fault: null },
  ],
  [
    "under other names",
    { usage: { input_tokens: 3, output_tokens: 5 } },
    { usage: { inputTokens: 3, outputTokens: 5 }, fault: null },
  ],
  [
    "in another envelope",
    { x_groq: { usage: counts(3, 5) } },
    { usage: { inputTokens: 3, outputTokens: 5 }, fault: null },
  ],
  ["absent", {}, { usage: null, fault: "missing" }],
  ["null", { usage: null }, { usage: null, fault: "missing" }],
  ["empty", { usage: {} }, { usage: null, fault: "missing" }],
  ["negative", { usage: counts(3, -1) }, { usage: null, fault: "absurd" }],
  ["fractional", { usage: counts(3, 1.5) }, { usage: null, fault: "absurd" }],
  [
    "text",
    { usage: { prompt_tokens: "3", completion_tokens: "5" } },
    { usage: null, fault: "absurd" },
  ],
  ["immense", { usage: counts(3, 2 ** 31 + 1) }, { usage: null, fault: "absurd" }],
  ["half there", { usage: { prompt_tokens: 3 } }, { usage: null, fault: "absurd" }],
  ["a list", { usage: [1, 2] }, { usage: null, fault: "absurd" }],
  [
    "in the first choice",
    { choices: [{ usage: counts(3, 5) }] },
    { usage: { inputTokens: 3, outputTokens: 5 }, fault: null },
  ],
  [
    "of Kimi, whose cached tokens stand beside the others",
    { usage: { ...counts(30, 5), cached_tokens: 20 } },
    { usage: { inputTokens: 30, outputTokens: 5, cachedInputTokens: 20 }, fault: null },
  ],
  [
    "of Qwen, with what was written to its cache",
    {
      usage: {
        ...counts(30, 5),
        prompt_tokens_details: { cached_tokens: 10, cache_creation_input_tokens: 15 },
      },
    },
    { usage: { cachedInputTokens: 10, cacheWriteTokens: 15 }, fault: null },
  ],
  [
    "of OpenRouter, with what was written to a cache",
    { usage: { ...counts(30, 5), prompt_tokens_details: { cache_write_tokens: 15 } } },
    { usage: { cacheWriteTokens: 15 }, fault: null },
  ],
  [
    "of xAI, which counts thinking beside the output",
    {
      usage: {
        ...{ prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 },
        completion_tokens_details: { reasoning_tokens: 94 },
      },
    },
    {
      usage: { outputTokens: 103, reasoningTokens: 94, reported: { completion_tokens: 103 } },
      fault: null,
    },
  ],
  [
    "with thinking within the output",
    {
      usage: {
        ...{ prompt_tokens: 500, completion_tokens: 500, total_tokens: 1000 },
        completion_tokens_details: { reasoning_tokens: 200 },
      },
    },
    { usage: { outputTokens: 500, reasoningTokens: 200 }, fault: null },
  ],
])("usage %s is accepted or refused, never guessed", (_, body, expected) => {
  expect(readUsage(usageOf({ ...body }))).toMatchObject(expected);
});
