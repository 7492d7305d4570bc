/** Which names are those of one model. */
import { expect, test } from "vitest";
import { isSameModel } from "./bill-line";

test.each([
  ["gpt-5", "gpt-5-2026-08-07"],
  ["claude-opus-5", "claude-opus-5-20260805"],
  ["claude-opus-5@20260805", "Claude-Opus-5"],
  ["doubao-seed-2", "doubao-seed-2-260615"],
  ["mistral-large-latest", "mistral-large-2611"],
  ["mistral-large-latest", "mistral-large"],
  ["gemini-4-pro-preview-05-06", "gemini-4-pro-preview"],
  ["claude-opus-5-0", "claude-opus-5-20260805"],
  ["gemini-4-flash", "gemini-4-flash-001"],
  ["gpt-4", "gpt-4-0613"],
])("a name without a date stands for a snapshot of it: %s, %s", (one, other) => {
  expect([isSameModel(one, other), isSameModel(other, one)]).toEqual([true, true]);
});

test.each([
  ["gpt-5-2026-08-07", "gpt-5-2026-11-20"],
  ["gpt-5", "gpt-5-mini"],
  ["gpt-5", "gpt-5-mini-2026-08-07"],
  ["gpt-5", "gpt-51"],
  ["llama-3-70", "llama-3-405"],
  ["gpt-4o", "gpt-4o-9999"],
])("two snapshots, or two sizes, are two models: %s, %s", (one, other) => {
  expect([isSameModel(one, other), isSameModel(other, one)]).toEqual([false, false]);
});
