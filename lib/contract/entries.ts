/** Requests to `/api/entries` and their answers: an account's history. */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { CURSOR_LENGTH_MAX } from "./limits";
import { byUser, get, type PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { dialects, entryKinds, families, historyKinds, holdStates, requestSources } from "./states";

/** What a video or an image was: as delivered, or as ordered until then. */
export const made = z.object({
  resolution: answerText.nullable(),
  ratio: answerText.nullable(),
  seconds: z.number().nullable(),
  generateAudio: z.boolean(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
});

/** One line of the account's history: a request with its settlement, or a credit. */
export const entry = z.object({
  id: answerText,
  kind: z.enum(entryKinds),
  at: moment,
  /** The change of the balance: negative for a charge, zero for a hold or a release. */
  amount: points,
  reason: answerText.nullable(),
  request: z
    .object({
      requestId: answerText,
      source: z.enum(requestSources),
      keyName: answerText.nullable(),
      model: answerText,
      family: z.enum(families),
      /** Null for a request in its family's own form. */
      dialect: z.enum(dialects).nullable(),
      state: z.enum(holdStates),
      quoted: points,
      held: points,
      settled: points.nullable(),
      inputTokens: z.number().int().nullable(),
      outputTokens: z.number().int().nullable(),
      endedAt: moment.nullable(),
      durationMs: z.number().int().nullable(),
      tags: answerRows(z.object({ name: answerText, value: answerText })),
      /** Null for text, and where nothing was ordered. */
      made: made.nullable(),
    })
    .nullable(),
});
/** Newest first; `nextCursor` is null on the last page. */
export const entriesResponse = z.object({
  entries: answerRows(entry),
  nextCursor: answerText.nullable(),
  /**
   * Months such as `2026-08` whose requests would be on this page, or after the last request, but
   * are only in the archives of the operator. Top-ups are never left out.
   */
  archived: answerRows(answerText),
});
export const entriesQuery = z.object({
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
  kind: z.enum(historyKinds).default("all"),
});

export const entryEndpoints = {
  listEntries: {
    ...get("/api/entries", byUser("readPoints", "points:read")),
    query: entriesQuery,
    answer: entriesResponse,
  },
} as const satisfies PageEndpoints;

export type ResultSettings = z.infer<typeof made>;
export type EntryView = z.infer<typeof entry>;
