/** The functions that an answer of chat completions wants to be called. */
import { isRecord } from "../values/records";
import { firstChoice, parsedOf, streamedEvents } from "./answered-text";

export interface ToolCall {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

/** More than any model asks for at once. */
const CALLS_MAX = 256;
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** With what one more event of a stream says of them; what is not of their form is passed over. */
export function withToolCalls(before: readonly ToolCall[], part: unknown): readonly ToolCall[] {
  const calls = [...before];
  for (const said of Array.isArray(part) ? part : []) {
    if (!isRecord(said) || !isRecord(said.function)) continue;
    const { index, function: named } = said;
    if (typeof index !== "number" || !(index >= 0 && index <= calls.length && index < CALLS_MAX))
      continue;
    const known = calls[index] ?? { name: "", arguments: "" };
    calls[index] = {
      name: known.name + textOf(named.name),
      arguments: known.arguments + textOf(named.arguments),
    };
  }
  return calls;
}

/** Those of an answer as it was sent; none in other APIs' answers. */
export function answeredCalls(output: string): readonly ToolCall[] {
  const whole = parsedOf(output);
  if (whole === null)
    return streamedEvents(output).reduce<readonly ToolCall[]>(
      (calls, event) => withToolCalls(calls, firstChoice(event, "delta", "tool_calls")),
      [],
    );
  const calls = firstChoice(whole, "message", "tool_calls");
  const numbered = (Array.isArray(calls) ? calls : []).map((call, index) =>
    isRecord(call) ? { ...call, index } : call,
  );
  return withToolCalls([], numbered);
}
