/** Documents of which only a file is sent, as those that a client reads for its model. */
import { isRecord } from "../../values/records";

/** In place of a file, of which there is no text here. */
export const unreadText = (title: unknown): string =>
  `[This document cannot be read here, only its text${typeof title === "string" && title !== "" ? `: ${title}` : ""}.]`;

/** Whether there is no text of a document. */
export const isUnread = (source: unknown): boolean =>
  isRecord(source) && source.type !== "text" && source.type !== "content";
