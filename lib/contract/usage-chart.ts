/** The requests of a filter by day, in series. */
import { z } from "zod";
import { answerRows, answerText, day } from "./bounds";
import { points } from "./points";
import { chartTimes } from "./states";
import { chartGrouping, namesTag, tagNamed } from "./tags";
import { fairRange, isFairRange, usageFilter } from "./usage-filter";

export const usageChartQuery = usageFilter
  .extend({
    ...chartGrouping,
    /** The times: both, one of them, or none. A long range is read faster with fewer. */
    times: z.enum(chartTimes).default("yes"),
  })
  .refine(isFairRange, fairRange)
  .refine(namesTag, tagNamed)
  .refine(({ group, thenBy }) => group !== thenBy, {
    path: ["thenBy"],
    message: "it must be another grouping than `group`",
  });

const chartSums = {
  requests: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  charged: points,
  /** The median time of the settled requests; null when there are none, or none was asked for. */
  latencyMs: z.number().int().nullable(),
  /** 95 of 100 took at most this. */
  latencyP95Ms: z.number().int().nullable(),
  /** The same of the times to the first token of the streamed ones. */
  firstTokenMs: z.number().int().nullable(),
  firstTokenP95Ms: z.number().int().nullable(),
};
/**
 * The most expensive series first. All beyond the first few are one series, whose `id` is null. A
 * day without requests has no entry.
 */
export const usageChartResponse = z.object({
  series: answerRows(
    z.object({
      id: answerText.nullable(),
      /** The key's name, or the member's address. */
      name: answerText.nullable(),
      /** The same of `thenBy`; null without it. */
      second: z.object({ id: answerText, name: answerText.nullable() }).nullable(),
      ...chartSums,
      days: answerRows(z.object({ day, ...chartSums })),
    }),
  ),
});

export type UsageChart = z.infer<typeof usageChartResponse>;
