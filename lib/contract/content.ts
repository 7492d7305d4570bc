/**
 * Requests of a request's page to `/api/requests/{id}/content`, and their answers: what it asked and
 * what it was answered, where the account keeps that.
 */
import { z } from "zod";
import { moment } from "./bounds";
import { CONTENT_CHARACTERS_MAX } from "./limits";
import { byUser, get, type PageEndpoints, remove } from "./page-endpoint";

const text = z.string().max(CONTENT_CHARACTERS_MAX).nullable();
const content = z.object({
  /** The body of the request; encoded images are left out. Null where it was too long. */
  input: text,
  /** The body of the answer, or of its stream. Null where there was none, or where it was too long. */
  output: text,
  expiresAt: moment,
});
/** Null where nothing is kept. */
const contentResponse = z.object({ content: content.nullable() });
const forgottenResponse = z.object({ removed: z.literal(true) });

export const contentEndpoints = {
  showContent: {
    ...get("/api/requests/{id}/content", byUser("readUsage", "usage:read")),
    answer: contentResponse,
  },
  removeContent: {
    ...remove("/api/requests/{id}/content", byUser("work", "account:write")),
    command: "request forget",
    answer: forgottenResponse,
  },
} as const satisfies PageEndpoints;

export type ContentView = z.infer<typeof content>;
