/** The documents of a Messages request for an upstream that speaks Messages too. */
import { isRecord } from "../../values/records";
import { PDF_START, showDocument } from "../documents";
import type { SoldText } from "../text-asks";
import type { JsonObject } from "../text-dialect";

/** What a source refers to; empty for what no model reads here, such as a file of another provider. */
export function documentData({ type, media_type: kind, data, url }: JsonObject): string {
  if (type === "url" && typeof url === "string") return url;
  const isPdf = type === "base64" && kind === "application/pdf" && typeof data === "string";
  return isPdf ? `${PDF_START}${data}` : "";
}

const isText = ({ type }: JsonObject): boolean => type === "text" || type === "content";

function shownBlock(block: unknown, sold: SoldText): unknown {
  if (!isRecord(block)) return block;
  if (block.type === "tool_result") return { ...block, content: shownBlocks(block.content, sold) };
  if (block.type !== "document" || !isRecord(block.source) || isText(block.source)) return block;
  const shown = showDocument(documentData(block.source), block.title, sold);
  return shown.kind === "file" ? block : { type: "text", text: shown.text };
}

/** The blocks, with a text that says so in place of each document that the model cannot read. */
export const shownBlocks = <Content>(content: Content, sold: SoldText): Content | unknown[] =>
  Array.isArray(content) ? content.map((block: unknown) => shownBlock(block, sold)) : content;
