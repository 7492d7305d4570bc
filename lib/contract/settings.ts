/** Requests of the settings pages to `/api/…`, and their answers. */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { CONTENT_DAYS_MAX, NAME_LENGTH_MAX, PASSWORD_LENGTH_MAX } from "./limits";
import { byUser, get, ofPerson, type PageEndpoints, patch, post } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { code } from "./second-factor";
import { shownName } from "./shown-text";
import { signOutEverywhereResponse } from "./users";

const sessionsResponse = z.object({
  sessions: answerRows(
    z.object({
      id: answerText,
      createdAt: moment,
      /** Accurate to five minutes. */
      lastSeenAt: moment,
      address: answerText.nullable(),
      userAgent: answerText.nullable(),
      isCurrent: z.boolean(),
    }),
  ),
});

/** The password again, before an action that moves points or changes who has access. */
const proofRequest = z.strictObject({
  password: z.string().min(1).max(PASSWORD_LENGTH_MAX),
  /** Required of a user with a second factor. */
  code: code.optional(),
});
const proofResponse = z.object({ proved: z.literal(true) });

const changeProfileRequest = z.strictObject({ name: shownName(NAME_LENGTH_MAX).nullable() });
const changeProfileResponse = z.object({ name: answerText.nullable() });

/** Absent fields stay unchanged. */
const changeAccountRequest = z
  .strictObject({
    /** In points; null for no notice. */
    lowBalanceNotice: pointsInput
      .refine((text) => /[1-9]/.test(text), "it must be a number of points above zero, or null")
      .nullable()
      .optional(),
    /** Whether a client library's retry joins the video or image order that it repeats. */
    joinsRetries: z.boolean().optional(),
    /**
     * For how many days what texts ask and are answered is kept, also what is kept already; null for
     * not at all, which removes what is kept.
     */
    contentDays: z.number().int().min(1).max(CONTENT_DAYS_MAX).nullable().optional(),
    /** Whether sessions of the playground are kept; false removes those that are. */
    keepsSessions: z.boolean().optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    "send at least one field to change",
  );
const changeAccountResponse = z.object({
  lowBalanceNotice: points.nullable(),
  joinsRetries: z.boolean(),
  /** Null where nothing is kept. */
  contentDays: z.number().int().nullable(),
  keepsSessions: z.boolean(),
});

export const settingsEndpoints = {
  listSessions: {
    ...get("/api/sessions", ofPerson),
    answer: sessionsResponse,
  },
  endSession: {
    ...post("/api/sessions/{id}/end", ofPerson),
    command: "session end",
    answer: signOutEverywhereResponse,
  },
  provePassword: {
    ...post("/api/proof", byUser("self")),
    noKey: "proof",
    noCommand: "browser",
    body: proofRequest,
    answer: proofResponse,
  },
  changeProfile: {
    ...patch("/api/profile", ofPerson),
    noCommand: "ownName",
    body: changeProfileRequest,
    answer: changeProfileResponse,
  },
  changeAccount: {
    ...patch("/api/account", byUser("changeAccount", "account:write")),
    command: "account notice",
    body: changeAccountRequest,
    answer: changeAccountResponse,
  },
} as const satisfies PageEndpoints;

export type SessionView = z.infer<typeof sessionsResponse>["sessions"][number];
export type ChangeAccountBody = z.input<typeof changeAccountRequest>;
