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
])("usage %s is accepted or refused, never guessed", (_, body, expected) => {
  expect(readUsage(usageOf({ ...body }))).toMatchObject(expected);
});
