/** Documents in a conversation: files that a model reads, and the text of those that are text. */
import { base64Length } from "../contract/base64";
import { isFileAddress } from "../contract/media-fields";
import type { SoldText } from "./text-asks";

const PDF_START = "data:application/pdf;base64,";
/** A PDF in base64 begins so. Some clients send it without the start of a data URL. */
const BARE_PDF = "JVBERi0";
const textStart =
  /^data:(?:text\/[\w.+-]{1,60}|application\/(?:json|xml|yaml|x-yaml|toml|javascript))(?:;charset=[\w-]{1,20})?;base64,/i;
const TEXT_START_MAX = 120;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Whether an address of an image is a document's, as clients of Gemini send it. */
export const isDocument = (url: string): boolean =>
  url.startsWith(PDF_START) || textStart.test(url.slice(0, TEXT_START_MAX));

/** A file as an upstream gets it, or the text of one; null for what no model reads. */
function readDocument(data: string): { readonly file: string } | { readonly text: string } | null {
  if (data.startsWith(PDF_START))
    return base64Length(data, PDF_START.length) > 0 ? { file: data } : null;
  if (data.startsWith(BARE_PDF)) return readDocument(`${PDF_START}${data}`);
  if (isFileAddress(data)) return { file: data };
  const start = textStart.exec(data.slice(0, TEXT_START_MAX))?.[0];
  if (start === undefined) return null;
  try {
    return { text: utf8.decode(Buffer.from(data.slice(start.length), "base64")) };
  } catch {
    return null;
  }
}

const isName = (name: unknown): name is string => typeof name === "string" && name !== "";

/** How a model gets a document: as a file, or as a text. `unread`: the text says that it gets nothing of it. */
export type ShownDocument =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "text" | "unread"; readonly text: string };

/** `data`: a data URL, an address, or a PDF in base64. Only a model that offers it gets files. */
export function showDocument(data: string, name: unknown, { offers }: SoldText): ShownDocument {
  const read = readDocument(data);
  if (read !== null && "text" in read)
    return { kind: "text", text: isName(name) ? `${name}\n\n${read.text}` : read.text };
  if (read !== null && offers.documents !== undefined) return { kind: "file", file: read.file };
  const named = isName(name) ? `: ${name}` : "";
  return { kind: "unread", text: `[This document cannot be read here, only its text${named}.]` };
}
