/** The text of an answer as it was sent: of chat completions, the Messages and the Responses API. */
import { jsonIn } from "../values/json-in";
import { isRecord } from "../values/records";

export const parsedOf = (json: string): unknown => jsonIn(json) ?? null;

/** The text of a message's content; what is no text is named by its type. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => {
      if (!isRecord(part)) return "";
      if (typeof part.text === "string") return part.text;
      return typeof part.type === "string" ? `[${part.type}]` : "";
    })
    .filter((text) => text !== "")
    .join("\n");
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const member = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

/** A member of the first choice of chat completions. */
export const firstChoice = (body: unknown, part: "delta" | "message", name: string): unknown =>
  member(member(first(member(body, "choices")), part), name);

/** What an event of a stream adds to the text. */
function deltaOf(event: unknown): string {
  const chat = firstChoice(event, "delta", "content");
  if (typeof chat === "string") return chat;
  const delta = member(event, "delta");
  if (typeof delta === "string" && member(event, "type") === "response.output_text.delta")
    return delta;
  const text = member(delta, "text");
  return typeof text === "string" ? text : "";
}

function wholeText(body: unknown): string {
  const message = member(first(member(body, "choices")), "message");
  if (message !== undefined) return textOf(member(message, "content"));
  const output = member(body, "output");
  if (Array.isArray(output)) return output.map((item) => textOf(member(item, "content"))).join("");
  return textOf(member(body, "content"));
}

const DATA = "data: ";

export const streamedEvents = (output: string): unknown[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith(DATA))
    .map((line) => parsedOf(line.slice(DATA.length)));

/** The text that a request was answered; empty where there is none, such as only calls of tools. */
export function answeredText(output: string): string {
  const body = parsedOf(output);
  return body === null ? streamedEvents(output).map(deltaOf).join("") : wholeText(body);
}
