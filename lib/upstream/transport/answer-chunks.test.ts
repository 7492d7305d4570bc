/** Tests that the chunks of a whole answer make that answer again, by the official client's sums. */
import { expect, test } from "vitest";
import type { JsonObject } from "../provider";
import { answerChunks, piecesOf } from "./answer-chunks";

interface Choice {
  readonly index: number;
  readonly delta: JsonObject & { readonly tool_calls?: readonly JsonObject[] };
  readonly finish_reason: string | null;
}
const choicesOf = (body: JsonObject) =>
  answerChunks(body).map(({ choices }) => (choices as Choice[])[0] as Choice);
const joined = (choices: readonly Choice[], name: string) =>
  choices.map(({ delta }) => delta[name] ?? "").join("");

test.each(["", "short", "x".repeat(10_000), "🦊".repeat(500), `a${"🦊".repeat(3000)}`, "\ud83e"])(
  "the pieces of a text are few, whole characters, and the text",
  (text) => {
    const pieces = piecesOf(text);
    expect(pieces.join("")).toBe(text);
    expect(pieces.length).toBeLessThanOrEqual(64);
    if (text.length > 1) for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  },
);

test("role first, then thought, text and calls in pieces, and the finish reason last and once", () => {
  const text = "The answer is long enough to come in several pieces, one after the other.";
  const call = { id: "call_1", type: "function", function: { name: "report", arguments: text } };
  const message = {
    role: "assistant",
    content: text,
    tool_calls: [call, { ...call, id: "call_2" }],
    reasoning_content: `hm ${text}`,
    annotations: [{ type: "url_citation" }],
  };
  const logprobs = { content: [] };
  const body = { id: "up-1", object: "chat.completion", created: 1, model: "m", usage: {} };
  const choices = [{ index: 0, message, logprobs, finish_reason: "tool_calls", stop_reason: "x" }];
  const said = choicesOf({ ...body, choices });
  expect(said[0]).toEqual({
    index: 0,
    delta: { role: "assistant", content: "" },
    finish_reason: null,
  });
  expect(said[1]?.delta.reasoning_content).toBeTypeOf("string");
  expect([joined(said, "reasoning_content"), joined(said, "content")]).toEqual([
    `hm ${text}`,
    text,
  ]);
  expect(said.some(({ delta }) => "annotations" in delta)).toBe(true);
  for (const [index, id] of ["call_1", "call_2"].entries()) {
    const parts = said.flatMap(({ delta }) => delta.tool_calls ?? []) as {
      index: number;
      id?: string;
      function: { name?: string; arguments: string };
    }[];
    const own = parts.filter((part) => part.index === index);
    expect(own[0]).toMatchObject({ id, type: "function", function: { name: "report" } });
    expect(own.length).toBeGreaterThan(2);
    expect(own.map((part) => part.function.arguments).join("")).toBe(text);
  }
  expect(said.filter((choice) => choice.finish_reason !== null)).toEqual([
    { index: 0, delta: {}, logprobs, finish_reason: "tool_calls", stop_reason: "x" },
  ]);
  expect(said.at(-1)?.finish_reason).toBe("tool_calls");
  for (const chunk of answerChunks({ ...body, choices }))
    expect(chunk).toEqual({
      id: "up-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [expect.anything()],
    });
});

test("what a message may lack: a role, a text, a finish reason", () => {
  const said = choicesOf({ choices: [{ message: { content: null } }, { message: {} }] });
  expect(said.map(({ index, finish_reason: reason }) => [index, reason])).toEqual([
    [0, null],
    [0, null],
    [1, null],
    [1, null],
  ]);
});
