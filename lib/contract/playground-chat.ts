/** What the playground's conversation asks. */
import { chatChunk } from "./chat";
import type { PlaygroundRows } from "./playground";

export const chatRows = {
  createChatCompletion: {
    method: "POST",
    path: "/api/playground/v1/chat/completions",
    takesBody: true,
    /** Of each line: the answer is streamed. */
    answer: chatChunk,
  },
} as const satisfies PlaygroundRows;
