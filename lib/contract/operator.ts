/** Requests of the operators' overview to `/api/admin/…`, and their answers. */

import { z } from "zod";
import { moment } from "./bounds";
import type { PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { unservedModels } from "./unserved";

export const operatorOverviewResponse = z.object({
  accounts: z.number(),
  /** What all accounts can still spend, and what running requests hold. */
  available: points,
  held: points,
  openHolds: z.number(),
  oldestHoldAt: moment.nullable(),
  /** Of the last 24 hours. */
  day: z.object({
    settled: z.number(),
    released: z.number(),
    charged: points,
    losses: z.number(),
    lost: points,
  }),
  unserved: unservedModels,
});

export const overviewEndpoints = {
  showOverview: {
    method: "GET",
    path: "/api/admin/overview",
    who: "operator",
    answer: operatorOverviewResponse,
  },
} as const satisfies PageEndpoints;

export type OperatorOverview = z.infer<typeof operatorOverviewResponse>;
