/** What the situations of calls have in common. */
import type { Reading, Situation, Words } from "./situation";
import { chatAnswer, chatStream, openai } from "./upstreams";

export const OSLO = '{"city":"Oslo"}';
export const ROME = '{"city":"Rome"}';
export const called = (name: string, input: object) => ({ name, input });
export const oslo = called("get_weather", { city: "Oslo" });
export const rome = called("get_weather", { city: "Rome" });
export const calls = (...all: Reading["calls"]) => ({ calls: all, end: "calls", error: null });

/** A stream of these pieces, which is the calls. */
export const inPieces = (
  [sent, thread, got, right]: Words,
  pieces: readonly (object | string)[],
  reads: object,
  finish: string | null = "tool_calls",
): Situation => ({
  ...{ sent, thread, got, right, reads },
  upstream: openai(chatStream(pieces, finish)),
});

/** A whole answer with these calls, and the same as the only chunk of a stream. */
export const inOne = (
  [sent, thread, got, right]: Words,
  said: object,
  reads: object,
  finish = "tool_calls",
): Situation => ({
  ...{ sent, thread, got, right, reads },
  upstream: openai(chatAnswer(said, finish), chatStream([said], finish)),
});
