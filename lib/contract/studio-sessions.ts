/**
 * Requests of the playground's pages to `/api/studio/sessions`, and their answers: what a user asked
 * and got, kept for this user alone, where the account keeps it.
 */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import {
  CONTENT_CHARACTERS_MAX,
  STUDIO_CONTENT_CHARACTERS_MAX,
  STUDIO_ORDERS_MAX,
  STUDIO_TITLE_LENGTH_MAX,
} from "./limits";
import { get, ofPerson, type PageEndpoints, patch, remove } from "./page-endpoint";
import { shownName } from "./shown-text";
import { families } from "./states";

/** Room for characters that JSON escapes. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const ORDER_LENGTH_MAX = 255;

const kind = z.enum(families);
const title = shownName(STUDIO_TITLE_LENGTH_MAX);
const orderKey = z.string().min(1).max(ORDER_LENGTH_MAX);

const listQuery = z.strictObject({
  kind: kind.optional(),
  /** Words that the session has, in its title or its content. */
  search: z.string().trim().max(STUDIO_TITLE_LENGTH_MAX).optional(),
});
const listResponse = z.object({
  sessions: answerRows(
    z.object({
      id: answerText,
      kind,
      title: answerText,
      updatedAt: moment,
      /** Whether an answer was not yet read when the page was last there. */
      isAwaited: z.boolean(),
    }),
  ),
});

const showResponse = z.object({
  id: answerText,
  kind,
  title: answerText,
  updatedAt: moment,
  revision: z.int(),
  /** JSON, as the page wrote it. */
  content: z.string().max(STUDIO_CONTENT_CHARACTERS_MAX),
  /** What came of awaited answers, by the Idempotency-Key of each request. */
  answers: answerRows(
    z.object({
      orderKey: answerText,
      requestId: answerText,
      text: z.string().max(CONTENT_CHARACTERS_MAX),
      /** The functions that the model wants to be called. */
      toolCalls: answerRows(
        z.object({ name: answerText, arguments: z.string().max(CONTENT_CHARACTERS_MAX) }),
      ),
    }),
  ),
});

/** The content of a session of videos or images: what was ordered, the first one first. */
export const mediaContent = z.object({
  orders: answerRows(
    z.object({
      id: answerText,
      prompt: z.string().max(STUDIO_CONTENT_CHARACTERS_MAX),
      model: answerText,
    }),
  ),
});

const keepRequest = z.strictObject({
  kind,
  /** The one that the page has read or written; 0 for a new session. */
  revision: z.int().min(0),
  title,
  content: z.string().max(STUDIO_CONTENT_CHARACTERS_MAX),
  /** The Idempotency-Keys of answers that the content does not have yet. */
  awaited: z.array(orderKey).max(STUDIO_ORDERS_MAX),
});
/** Null: nothing was written, as another page has changed the session, or none is kept. */
const keepResponse = z.object({ revision: z.int().nullable() });
const removedResponse = z.object({ removed: z.literal(true) });

export const studioSessionEndpoints = {
  listStudioSessions: {
    ...get("/api/studio/sessions", ofPerson),
    query: listQuery,
    answer: listResponse,
  },
  showStudioSession: {
    ...get("/api/studio/sessions/{id}", ofPerson),
    answer: showResponse,
  },
  keepStudioSession: {
    ...patch("/api/studio/sessions/{id}", ofPerson),
    noCommand: "playground",
    body: keepRequest,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: keepResponse,
  },
  removeStudioSession: {
    ...remove("/api/studio/sessions/{id}", ofPerson),
    noCommand: "playground",
    answer: removedResponse,
  },
} as const satisfies PageEndpoints;

export type StudioSessionRow = z.infer<typeof listResponse>["sessions"][number];
export type StudioSession = z.infer<typeof showResponse>;
export type StudioSessionKept = z.infer<typeof keepRequest>;
export type MediaOrder = z.infer<typeof mediaContent>["orders"][number];
