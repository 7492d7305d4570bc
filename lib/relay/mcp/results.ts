/** What a tool returns: an endpoint's answer as JSON, for a program and as text for a model. */
import { isStream, type Outgoing } from "../../http/exchange";
import { isRecord } from "../../values/records";
import type { Ask, Question } from "./ask";
import type { Picture } from "./picture";

export interface ToolResult {
  [name: string]: unknown;
  content: ({ type: "text"; text: string } | Picture)[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
}

interface Answered {
  readonly isOk: boolean;
  readonly answer: Record<string, unknown>;
}

/** The whole body. None of the endpoints that are asked for JSON answers without end. */
async function textOf(body: Outgoing["body"]): Promise<string> {
  if (typeof body === "string") return body;
  if (!isStream(body)) return Buffer.from(body ?? "null").toString();
  let text = "";
  for await (const part of body) text += Buffer.from(part).toString();
  return text;
}

/** An endpoint's answer, with the points that it says were charged. */
export async function answered(ask: Ask, question: Question): Promise<Answered> {
  const { status, headers, body } = await ask(question);
  const json: unknown = JSON.parse(await textOf(body));
  const answer = isRecord(json) ? json : {};
  const points = headers["x-relay-points"];
  return {
    isOk: status < 400,
    answer: points === undefined ? answer : { ...answer, points: Number(points) },
  };
}

export function toolResult(
  structuredContent: Record<string, unknown>,
  isOk = true,
  picture: Picture | null = null,
): ToolResult {
  const text = JSON.stringify(structuredContent);
  return {
    content: [{ type: "text", text }, ...(picture === null ? [] : [picture])],
    structuredContent,
    ...(isOk ? {} : { isError: true }),
  };
}
