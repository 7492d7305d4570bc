/** Rows of the playground's chat. */
import { chatChunk } from "./chat";
import type { PlaygroundRows } from "./playground";

export const chatRows = {
  createChatCompletion: {
    method: "POST",
    path: "/api/playground/v1/chat/completions",
    takesBody: true,
    /** The schema of each line: the answer is streamed. */
    answer: chatChunk,
  },
} as const satisfies PlaygroundRows;
