/** The documents of a conversation: each as a file, where the model reads it, or as its text. */
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { isDocument, showDocument } from "../../dialects/documents";
import type { SoldText } from "../../dialects/text-asks";
import { RelayError } from "../../failures/relay-error";

type Message = ChatRequest["messages"][number];
type Part = Exclude<NonNullable<Message["content"]>, string>[number];
type FilePart = Extract<Part, { type: "file" }>;

/** Some clients send a document in the form of an image. */
function fileOf(part: Part): FilePart["file"] | null {
  if (part.type === "file") return part.file;
  return part.type === "image_url" && isDocument(part.image_url.url)
    ? { file_data: part.image_url.url }
    : null;
}

const hasDocument = ({ content }: Message): boolean =>
  Array.isArray(content) && content.some((part) => fileOf(part) !== null);

function refused({ id }: TextModel, { offers }: SoldText): RelayError {
  const why =
    offers.documents === undefined
      ? `${id} reads none as files. Send its text.`
      : `${id} reads PDF, and text in UTF-8. Send one of these.`;
  return new RelayError("unsupported_value", {
    message: `\`messages\` has a document: ${why}`,
    param: "messages",
    fault: { name: "no_documents" },
  });
}

export interface ReadRequest {
  readonly request: ChatRequest;
  /** Whether the model only learns of a document that it cannot read it. */
  readonly hasUnread: boolean;
}

/**
 * Throws `unsupported_value` for a document in the last turn that the model cannot read. One in an earlier
 * turn or a tool's result becomes a note to the model: the client sends it again with every request.
 */
export function readDocuments(request: ChatRequest, model: TextModel, sold: SoldText): ReadRequest {
  const { messages } = request;
  if (!messages.some(hasDocument)) return { request, hasUnread: false };
  const before = messages.findLastIndex(({ role }) => role !== "user");
  const isToolsTurn = ["tool", "function"].includes(messages[before]?.role ?? "");
  let hasUnread = false;
  const read = (part: Part, at: number): Part => {
    const given = fileOf(part);
    if (given === null) return part;
    const shown = showDocument(given.file_data, given.filename, sold);
    if (shown.kind === "file") return { type: "file", file: { ...given, file_data: shown.file } };
    if (shown.kind === "unread" && at > before && !isToolsTurn) throw refused(model, sold);
    hasUnread ||= shown.kind === "unread";
    return { type: "text", text: shown.text };
  };
  const all = messages.map((message, at) => {
    if (!Array.isArray(message.content)) return message;
    const parts = message.content.map((part) => read(part, at));
    const [first] = parts;
    // One text is a string, which every upstream takes.
    const isText = parts.length === 1 && first?.type === "text";
    return { ...message, content: isText ? first.text : parts };
  });
  return { request: { ...request, messages: all }, hasUnread };
}
