/** A chat of the playground in each API in which text can be asked for. */
import { isRecord } from "../values/records";
import type { ChatPart, ChatSent } from "./chat-stream";

type Body = Record<string, unknown>;

/** The Messages API requires a maximum; this one is for chats without their own. */
const MESSAGES_TOKENS = 4096;

const functionsOf = ({ tools = [] }: ChatSent): Body[] =>
  tools.flatMap((tool) => (isRecord(tool) && isRecord(tool.function) ? [tool.function] : []));

const textOf = (content: string | ChatPart[]): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");

const inputPart =
  (role: string) =>
  (part: ChatPart): Body =>
    part.type === "text"
      ? { type: role === "assistant" ? "output_text" : "input_text", text: part.text }
      : { type: "input_image", image_url: part.image_url.url, detail: "auto" };

export function responsesBody(chat: ChatSent): Body {
  const { model, messages, max_tokens, temperature, top_p, response_format: format } = chat;
  const functions = functionsOf(chat);
  return {
    model,
    input: messages.map(({ role, content }) => ({
      role,
      content: typeof content === "string" ? content : content.map(inputPart(role)),
    })),
    ...(max_tokens === undefined ? {} : { max_output_tokens: max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(format === undefined ? {} : { text: { format } }),
    ...(functions.length === 0
      ? {}
      : { tools: functions.map((each) => ({ type: "function", ...each })) }),
  };
}

function block(part: ChatPart): Body {
  if (part.type === "text") return { type: "text", text: part.text };
  const { url } = part.image_url;
  const encoded = /^data:([^;,]*);base64,/.exec(url);
  const source = encoded
    ? { type: "base64", media_type: encoded[1], data: url.slice(encoded[0].length) }
    : { type: "url", url };
  return { type: "image", source };
}

/** This API has no mode for JSON output, so `response_format` is left out. */
export function messagesBody(chat: ChatSent): Body {
  const { model, messages, max_tokens = MESSAGES_TOKENS, temperature, top_p } = chat;
  const system = messages.filter(({ role }) => role === "system");
  const functions = functionsOf(chat);
  return {
    model,
    max_tokens,
    ...(system.length === 0
      ? {}
      : { system: system.map(({ content }) => textOf(content)).join("\n") }),
    messages: messages
      .filter(({ role }) => role !== "system")
      .map(({ role, content }) => ({
        role,
        content: typeof content === "string" ? content : content.map(block),
      })),
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(functions.length === 0
      ? {}
      : {
          tools: functions.map(({ name, description, parameters }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            input_schema: parameters ?? { type: "object" },
          })),
        }),
  };
}
