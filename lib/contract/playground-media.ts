/** Rows of the playground's video and image forms. */
import { imageResponse } from "./image";
import { quoteResponse } from "./own-account";
import type { PlaygroundRows } from "./playground";
import { videoTaskCreated } from "./video-task";

export const mediaRows = {
  createQuote: {
    method: "POST",
    path: "/api/playground/v1/quote",
    takesBody: true,
    answer: quoteResponse,
  },
  createVideoTask: {
    method: "POST",
    path: "/api/playground/v1/contents/generations/tasks",
    takesBody: true,
    answer: videoTaskCreated,
  },
  createImage: {
    method: "POST",
    path: "/api/playground/v1/images/generations",
    takesBody: true,
    answer: imageResponse,
  },
} as const satisfies PlaygroundRows;
