/** What the playground's forms of videos and images ask. */
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
