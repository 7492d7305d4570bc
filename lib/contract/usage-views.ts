/** Requests of the usage page to `/api/usage/views`, and their answers: filters that a person keeps. */
import { z } from "zod";
import { answerRows, answerText } from "./bounds";
import { USAGE_VIEW_NAME_LENGTH_MAX, USAGE_VIEW_QUERY_LENGTH_MAX, USAGE_VIEWS_MAX } from "./limits";
import { get, ofPerson, type PageEndpoints, patch } from "./page-endpoint";
import { shownName } from "./shown-text";

const views = z
  .array(
    z.strictObject({
      name: shownName(USAGE_VIEW_NAME_LENGTH_MAX),
      /** The parameters of the page's URL. */
      query: z.string().max(USAGE_VIEW_QUERY_LENGTH_MAX),
    }),
  )
  .max(USAGE_VIEWS_MAX)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    message: "each name must be there once",
  });

/** Of the person in the account, the newest first. */
const viewsResponse = z.object({
  views: answerRows(z.object({ name: answerText, query: answerText })),
});

export const usageViewEndpoints = {
  listUsageViews: {
    ...get("/api/usage/views", ofPerson),
    answer: viewsResponse,
  },
  /** All of them, in place of those before. */
  keepUsageViews: {
    ...patch("/api/usage/views", ofPerson),
    noCommand: "shown",
    body: z.strictObject({ views }),
    answer: viewsResponse,
  },
} as const satisfies PageEndpoints;

export type UsageView = z.infer<typeof views>[number];
