/** The documents of a Messages request for an upstream that speaks Messages too. */
import { isRecord } from "../../values/records";
import { showDocument } from "../documents";
import type { SoldText } from "../text-asks";
import type { JsonObject } from "../text-dialect";

/** What a source refers to; empty for what no model reads here, such as a file of another provider. */
export function documentData({ type, media_type: kind, data, url }: JsonObject): string {
  if (type === "url" && typeof url === "string") return url;
  if (type !== "base64" || typeof kind !== "string" || typeof data !== "string") return "";
  // A comma would begin other data.
  return kind.includes(",") ? "" : `data:${kind};base64,${data}`;
}

const isText = ({ type }: JsonObject): boolean => type === "text" || type === "content";

function shownBlock(block: unknown, sold: SoldText): unknown {
  if (!isRecord(block)) return block;
  if (block.type === "tool_result") return { ...block, content: shownBlocks(block.content, sold) };
  if (block.type !== "document" || !isRecord(block.source) || isText(block.source)) return block;
  const { title, context, source } = block;
  const shown = showDocument(documentData(source), title, sold);
  if (shown.kind === "file") return block;
  return {
    type: "text",
    text: typeof context === "string" ? `${context}\n\n${shown.text}` : shown.text,
  };
}

/** The blocks, with a text that says so in place of each document that the model cannot read. */
export const shownBlocks = <Content>(content: Content, sold: SoldText): Content | unknown[] =>
  Array.isArray(content) ? content.map((block: unknown) => shownBlock(block, sold)) : content;
