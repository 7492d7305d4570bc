/**
 * Requests of the tasks pages and the playground to `/api/tasks`, and their answers: the account's
 * videos and images.
 */

import { z } from "zod";
import { answerRows, answerText, moment, recordOf } from "./bounds";
import { entry, made } from "./entries";
import { CURSOR_LENGTH_MAX, ID_LENGTH_MAX, MODEL_LENGTH_MAX } from "./limits";
import { byUser, get, type PageEndpoints, remove } from "./page-endpoint";
import { mediaRoles, resultFamilies, taskStatuses } from "./states";
import { settingFields } from "./video-settings";

export const taskStates = ["open", "succeeded", "failed"] as const;
const TASKS_PER_PAGE_MAX = 100;
/** The most ids in one request. */
export const TASK_IDS_MAX = 50;

export const tasksQuery = z.object({
  state: z.enum(taskStates).optional(),
  family: z.enum(resultFamilies).optional(),
  model: z.string().min(1).max(MODEL_LENGTH_MAX).optional(),
  /** An API key's id, or `none` for orders from pages. */
  key: z.string().min(1).max(ID_LENGTH_MAX).optional(),
  /** Only these ids, separated by commas. */
  ids: z
    .string()
    .max(60 * TASK_IDS_MAX)
    .transform((text) => text.split(",").filter((id) => id !== ""))
    .refine((ids) => ids.length <= TASK_IDS_MAX, `it must name at most ${TASK_IDS_MAX} tasks`)
    .optional(),
  limit: z.coerce.number().int().min(1).max(TASKS_PER_PAGE_MAX).default(24),
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
});

/** What was ordered besides, under the names of the wire. */
const moreSettings = z.object({
  ...settingFields,
  tools: answerRows(z.object({ type: answerText })).optional(),
  camera_fixed: z.boolean().optional(),
  watermark: z.boolean().optional(),
  /** Of an image. */
  guidance_scale: z.number().optional(),
  prompt_mode: answerText.optional(),
});

/** One of several images: null for what is not known or there any more. */
const file = z.object({
  url: answerText.nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Why it is missing: its key in the messages under `reasons`. */
  errorCode: answerText.nullable(),
});

export const task = z.object({
  /** A video's task id, or an image's request id. */
  id: answerText,
  /** The ledger's id of its request. */
  operationId: answerText,
  family: z.enum(resultFamilies),
  model: answerText,
  status: z.enum(taskStatuses),
  at: moment,
  /** Its key in the messages under `reasons`. */
  errorCode: answerText.nullable(),
  settings: z.object({
    /** Null when it is no longer stored. */
    prompt: answerText.nullable(),
    ...made.shape,
    /** Null for a video, and for an image of a model without qualities. */
    quality: answerText.nullable(),
    seed: z.number().int().nullable(),
    /** `url` is null when the image came inside the request and is not stored. */
    pictures: answerRows(z.object({ role: z.enum(mediaRoles), url: answerText.nullable() })),
    /** Whether the model decided the length, up to `seconds`. */
    isAutoLength: z.boolean(),
    /** The task whose draft was made into this video. */
    draftTask: answerText.nullable(),
    /** The name of an image's size, such as 2K. */
    sizeName: answerText.nullable(),
    /** The most images of the order, and whether the model decided how many. */
    count: z.number().int(),
    isSequence: z.boolean(),
    more: moreSettings,
  }),
  /** What was delivered, if known. */
  delivered: z
    .object({
      ...made.shape,
      generateAudio: made.shape.generateAudio.nullable(),
      bytes: z.number().int().nullable(),
      seed: z.number().int().nullable(),
      frames: z.number().int().nullable(),
      serviceTier: answerText.nullable(),
      /** Calls of tools by their types. */
      toolUsage: recordOf(z.number().int()),
      /** Null when it is no longer stored, or the upstream changed nothing. */
      revisedPrompt: answerText.nullable(),
    })
    .nullable(),
  /** `url` is null when the link has expired. */
  result: z
    .object({
      url: answerText.nullable(),
      /** A picture of the last frame, where it was ordered. */
      lastFrameUrl: answerText.nullable(),
      expiresAt: moment,
    })
    .nullable(),
  /** Each image of an order of several; none for one. */
  files: answerRows(file),
  /** The task's line in the account's history; null when its request is archived. */
  entry: entry.nullable(),
});
/** Newest first; `nextCursor` is null on the last page. */
export const tasksResponse = z.object({
  tasks: answerRows(task),
  nextCursor: answerText.nullable(),
  /**
   * Months such as `2026-08` whose images are left out, because it is in the operator's archives
   * with which key they were made. Empty without the filter `key`.
   */
  archived: answerRows(answerText),
});

export const taskResponse = z.object({
  task,
  /** When each state was reached; null for not yet, or never. */
  times: z.object({
    queued: moment,
    submitted: moment.nullable(),
    running: moment.nullable(),
    stored: moment.nullable(),
    ended: moment.nullable(),
  }),
  callback: z
    .object({
      url: answerText,
      deliveries: answerRows(
        z.object({
          status: answerText,
          attempts: z.number().int(),
          /** The result of the last attempt: an HTTP status, or a word such as timeout. */
          lastAnswer: answerText.nullable(),
          deliveredAt: moment.nullable(),
          givenUpAt: moment.nullable(),
          nextAttemptAt: moment.nullable(),
        }),
      ),
    })
    .nullable(),
});

const removedResponse = z.object({ removed: z.literal(true) });

/** The median of the seconds that a model's latest results took, by the model's id and its tier. */
const typicalTimesResponse = z.object({
  seconds: recordOf(z.number()),
  flexSeconds: recordOf(z.number()),
});

export const taskEndpoints = {
  listTasks: {
    ...get("/api/tasks", byUser("readUsage", "usage:read")),
    query: tasksQuery,
    answer: tasksResponse,
  },
  showTask: {
    ...get("/api/tasks/{id}", byUser("readUsage", "usage:read")),
    answer: taskResponse,
  },
  removeTask: {
    ...remove("/api/tasks/{id}", byUser("work", "account:write")),
    command: "task remove",
    answer: removedResponse,
  },
  showTypicalTimes: {
    ...get("/api/task-times", byUser("readUsage")),
    noKey: "live",
    answer: typicalTimesResponse,
  },
} as const satisfies PageEndpoints;

export type TaskView = z.infer<typeof task>;
export type TaskDetailView = z.infer<typeof taskResponse>;
export type TaskFilterView = Omit<z.input<typeof tasksQuery>, "ids" | "limit" | "cursor">;
