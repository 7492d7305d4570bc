/** A kept input and output as texts to read: chat completions, the Messages and the Responses API. */
import { parsedOf, textOf } from "../contract/answered-text";
import { isRecord } from "../values/records";

export interface SaidTurn {
  readonly role: string;
  readonly text: string;
}

function turnOf(item: unknown): SaidTurn | null {
  if (!isRecord(item)) return null;
  if (typeof item.role === "string") return { role: item.role, text: textOf(item.content) };
  const type = typeof item.type === "string" ? item.type : "item";
  return { role: type, text: typeof item.output === "string" ? item.output : "" };
}

/** The body of a request; null where it is none. */
export function askedBody(input: string): Record<string, unknown> | null {
  const body = parsedOf(input);
  return isRecord(body) ? body : null;
}

/** The turns that a request asked with, in order; null where it is none of these APIs'. */
export function askedTurns(input: string): readonly SaidTurn[] | null {
  const body = askedBody(input);
  if (body === null) return null;
  const instructions = textOf(body.system ?? body.instructions);
  const asked = body.messages ?? body.input;
  const turns = typeof asked === "string" ? [{ role: "user", content: asked }] : asked;
  if (!Array.isArray(turns)) return null;
  return [
    ...(instructions === "" ? [] : [{ role: "system", text: instructions }]),
    ...turns.map(turnOf).filter((turn) => turn !== null),
  ];
}
