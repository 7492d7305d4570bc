/** The messages of a conversation in the Messages API as chat messages. */
import type { ChatRequest } from "../../contract/chat";
import type { MessagesRequest } from "../../contract/messages";
import { isCarried, ReturnedMembers } from "../carried";
import type { LeftOut } from "../left-out";
import { ownCall } from "../own-call";
import { isOwnSignature } from "./answer-words";
import { known } from "./block-fields";
import { unchanging, withoutChangingLine } from "./changing-line";
import { documentData } from "./native-documents";

type Message = ChatRequest["messages"][number];
type Part = Exclude<Message["content"], string | null | undefined>[number];
type Sent = MessagesRequest["messages"][number];
type Blocks<Content> = Exclude<Content, string | null | undefined>;
type UserBlock = Blocks<Extract<Sent, { role: "user" }>["content"]>[number];
type AssistantBlock = Blocks<Extract<Sent, { role: "assistant" }>["content"]>[number];
type Thinking = Extract<AssistantBlock, { type: "thinking" | "redacted_thinking" }>;
type System = Extract<Sent, { role: "system" }>["content"];
type ToolResult = Extract<UserBlock, { type: "tool_result" }>;
type ResultBlock = Blocks<ToolResult["content"]>[number];
type Image = Extract<UserBlock, { type: "image" }>;
type Document = Extract<UserBlock, { type: "document" }>;

const PLACE = "messages.content.";

/** The text of a system prompt. Its blocks become paragraphs of one message. */
export function systemText(system: System, leftOut: LeftOut): string {
  if (typeof system === "string") return withoutChangingLine(system);
  for (const block of system) leftOut.addUnknown(block, known.text, "system.");
  return unchanging(system)
    .map(({ text }) => text)
    .join("\n\n");
}

const isReadable = (block: UserBlock): block is Extract<UserBlock, ResultBlock> =>
  block.type === "text" ||
  block.type === "image" ||
  block.type === "document" ||
  block.type === "search_result";

function imagePart({ source }: Image): Part {
  const url =
    source.type === "url" ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: "image_url", image_url: { url } };
}

const paragraphs = (...texts: (string | null | undefined)[]): Part => ({
  type: "text",
  text: texts.filter((text) => text).join("\n\n"),
});

function documentParts({ title, context, source }: Document): Part[] {
  if (source.type === "text") return [paragraphs(title, context, source.data)];
  if (source.type !== "content") {
    const file: Part = {
      type: "file",
      file: { file_data: documentData(source), ...(title ? { filename: title } : {}) },
    };
    return context ? [paragraphs(context), file] : [file];
  }
  const { content } = source;
  if (typeof content === "string") return [paragraphs(title, context, content)];
  const head = title || context ? [paragraphs(title, context)] : [];
  return [
    ...head,
    ...content.map(
      (block): Part =>
        block.type === "text" ? { type: "text", text: block.text } : imagePart(block),
    ),
  ];
}

function partsOf(block: ResultBlock, leftOut: LeftOut): Part[] {
  leftOut.addUnknown(block, known[block.type], PLACE);
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image":
      return [imagePart(block)];
    case "document":
      return documentParts(block);
    case "tool_reference":
      return [{ type: "text", text: block.tool_name }];
    case "search_result":
      return [paragraphs(block.title, block.source, ...block.content.map(({ text }) => text))];
  }
}

/** The text of a tool's result. Chat has no images and files there: they follow in the user's message. */
function readResult(
  { content, is_error: isError }: ToolResult,
  leftOut: LeftOut,
): { text: string; files: Part[] } {
  const parts =
    typeof content === "string" || !content
      ? []
      : content.flatMap((block) => partsOf(block, leftOut));
  const text =
    typeof content === "string"
      ? content
      : parts
          .map((part) => (part.type === "text" ? part.text : null))
          .filter((one) => one !== null)
          .join("\n");
  return {
    text: isError ? `Error: ${text}` : text,
    files: parts.filter(({ type }) => type !== "text"),
  };
}

/**
 * The results of tools, each its own message, and then what the user said. `leftOut`, `dropped`: as of
 * `assistantMessages`.
 */
export function userMessages(
  content: string | readonly UserBlock[],
  leftOut: LeftOut,
  dropped: LeftOut,
): Message[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const results: Message[] = [];
  const parts: Part[] = [];
  for (const block of content) {
    if (block.type === "tool_result") {
      leftOut.addUnknown(block, known.tool_result, PLACE);
      const { text, files } = readResult(block, leftOut);
      results.push({ role: "tool", tool_call_id: block.tool_use_id, content: text });
      parts.push(...files);
    } else if (isReadable(block)) parts.push(...partsOf(block, leftOut));
    else dropped.add(`${PLACE}${block.type}`);
  }
  const [first] = parts;
  if (first === undefined) return results;
  const isPlain = parts.length === 1 && first.type === "text";
  return [...results, { role: "user", content: isPlain ? first.text : parts }];
}

/** The text of a thinking block, and what else of it cannot be carried. */
function thoughtOf(block: Thinking, leftOut: LeftOut): string {
  if (block.type === "redacted_thinking") leftOut.add(`${PLACE}redacted_thinking`);
  else if (block.signature && !isOwnSignature(block.signature)) leftOut.add(`${PLACE}signature`);
  return block.type === "thinking" && typeof block.thinking === "string" ? block.thinking : "";
}

/**
 * One message with what the model thought, its text and its calls; none when it only thought.
 * `leftOut`: what this API has and chat has not; `dropped`: the same of thinking and of an upstream's own
 * tools, which an upstream of this API may get.
 */
export function assistantMessages(
  content: string | readonly AssistantBlock[],
  leftOut: LeftOut,
  dropped: LeftOut,
): Message[] {
  if (typeof content === "string") return [{ role: "assistant", content }];
  let text = "";
  const thoughts: string[] = [];
  const calls: object[] = [];
  const returned = new ReturnedMembers();
  for (const block of content) {
    if (block.type === "text") {
      leftOut.addUnknown(block, known.text, PLACE);
      text += block.text;
    } else if (block.type === "tool_use") {
      leftOut.addUnknown(block, known.tool_use, PLACE);
      calls.push(ownCall(block.id, block.name, block.input, returned.takeCall()));
    } else if (block.type === "thinking" || block.type === "redacted_thinking") {
      thoughts.push(thoughtOf(block, dropped));
      if (isCarried(block.signature)) returned.add(block.signature);
    } else dropped.add(`${PLACE}${block.type}`);
  }
  const thought = thoughts.filter((one) => one !== "").join("\n\n");
  if (text === "" && calls.length === 0) {
    if (thought !== "") dropped.add(`${PLACE}thinking`);
    return [];
  }
  const message: Message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
  };
  // Upstreams that think refuse a message with calls and without what was thought before them.
  if (thought !== "") message.reasoning_content = thought;
  Object.assign(message, returned.message);
  if (calls.length > 0) message.tool_calls = calls;
  return [message];
}
