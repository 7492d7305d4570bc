/** Requests of the charts on the operators' overview to `/api/admin/trends`, and their answers. */

import { z } from "zod";
import { answerRows, moment } from "./bounds";
import { byOperator, get, type PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { failureCauses, families, trendRanges } from "./states";

const trendsQuery = z.object({ range: z.enum(trendRanges).default("day") });

/** `slot`: counted from the first. Slots without requests have no entry. */
const slot = z.object({ slot: z.number().int() });
const familySums = {
  requests: z.number().int(),
  charged: points,
  /** The time that 95 of 100 settled requests did not exceed; null when there are none. */
  p95Ms: z.number().int().nullable(),
};

const trendsResponse = z.object({
  from: moment,
  slotSeconds: z.number().int(),
  slotCount: z.number().int(),
  /** Null when there are too many requests to sum in time. */
  trends: z
    .object({
      /** Requests of the same length of time before. */
      requestsBefore: z.number().int(),
      families: answerRows(
        z.object({
          family: z.enum(families),
          ...familySums,
          slots: answerRows(slot.extend(familySums)),
        }),
      ),
      failures: answerRows(
        z.object({
          cause: z.enum(failureCauses),
          requests: z.number().int(),
          slots: answerRows(slot.extend({ requests: z.number().int() })),
        }),
      ),
    })
    .nullable(),
});

export const trendEndpoints = {
  showTrends: {
    ...get("/api/admin/trends", byOperator("usage:read")),
    query: trendsQuery,
    answer: trendsResponse,
  },
} as const satisfies PageEndpoints;

export type TrendsView = z.infer<typeof trendsResponse>;
