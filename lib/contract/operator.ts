/** Requests of the operators' overview to `/api/admin/…`, and their answers. */

import { z } from "zod";
import { answerRows, answerText, day, moment } from "./bounds";
import { byOperator, get, type PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { unservedModels } from "./unserved";

export const operatorOverviewResponse = z.object({
  accounts: z.number(),
  /** What all accounts can still spend, and what running requests hold. */
  available: points,
  held: points,
  openHolds: z.number(),
  oldestHoldAt: moment.nullable(),
  /** Of the requests made in this hour (UTC) and the 23 before it, and of the losses in them. */
  day: z.object({
    settled: z.number(),
    released: z.number(),
    charged: points,
    losses: z.number(),
    lost: points,
  }),
  unserved: unservedModels,
  /** What may need a person. At most 50 of each kind are counted. */
  needs: z.object({
    stuck: z.object({
      tasks: z.number().int(),
      nodes: z.number().int(),
      files: z.number().int(),
      held: points,
    }),
    /** Payments that an operator should look at, by the reason. */
    payments: answerRows(z.object({ why: answerText, count: z.number().int() })),
    /** Null before the first audit. */
    audit: z.object({ at: moment, isClean: z.boolean(), broken: z.number().int() }).nullable(),
    /** The last sealed day (UTC), and whether requests of hours ago are in no piece of the audit. */
    seals: z.object({ day: day.nullable(), isBehind: z.boolean() }),
  }),
  /** The attempts of each channel in each half hour of the last 24 hours, by the channel's id. */
  health: answerRows(
    z.object({
      channelId: answerText,
      slots: answerRows(
        z.object({
          slot: z.number().int(),
          succeeded: z.number().int(),
          failed: z.number().int(),
        }),
      ),
    }),
  ),
});

export const overviewEndpoints = {
  showOverview: {
    ...get("/api/admin/overview", byOperator("usage:read")),
    answer: operatorOverviewResponse,
  },
} as const satisfies PageEndpoints;

export type OperatorOverview = z.infer<typeof operatorOverviewResponse>;
