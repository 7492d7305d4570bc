/**
 * The tags of requests: how they are written, in the header `x-relay-tags` and in filters, and the
 * budgets that name one. A tag is a name with a value, such as `team=a`.
 */
import { z } from "zod";
import { answerRows, answerText, done, moment } from "./bounds";
import {
  TAG_NAME_LENGTH_MAX,
  TAG_TEXT_LENGTH_MAX,
  TAG_VALUE_LENGTH_MAX,
  TAGS_MAX,
  ZONE_LENGTH_MAX,
} from "./limits";
import { byUser, get, type PageEndpoints, post } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { isShownText, SHOWN_RULE } from "./shown-rule";
import { budgetPeriods, chartGroups, summaryGroups } from "./states";

export type Tags = Readonly<Record<string, string>>;

/** What is wrong with a tag; null when it is right. An empty value is no tag. */
export function tagFault(name: string, value: string): string | null {
  if (name.length < 1 || name.length > TAG_NAME_LENGTH_MAX)
    return `a name must have 1 to ${TAG_NAME_LENGTH_MAX} characters`;
  if (value.length > TAG_VALUE_LENGTH_MAX)
    return `a value must have at most ${TAG_VALUE_LENGTH_MAX} characters`;
  if (!isShownText(name) || !isShownText(value)) return SHOWN_RULE;
  return null;
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return null;
  }
};

/**
 * Reads `team=a, job=7`. A comma, an equals sign of a name or a percent sign is percent-encoded. A text:
 * what is wrong. An empty value stays: a filter has it for requests without the tag.
 */
export function readTagText(text: string): Tags | string {
  const tags = new Map<string, string>();
  for (const pair of text.split(",")) {
    if (pair.trim() === "") continue;
    const at = pair.indexOf("=");
    const [name, value] = [decoded(pair.slice(0, Math.max(at, 0))), decoded(pair.slice(at + 1))];
    const shown = JSON.stringify(pair.trim().slice(0, 60));
    if (at < 0) return `${shown} is no tag such as team=a`;
    if (name === null || value === null) return `${shown} is not percent-encoded rightly`;
    const fault = tagFault(name, value);
    if (fault !== null) return `${shown}: ${fault}`;
    if (tags.has(name)) return `${shown}: the name is there twice`;
    tags.set(name, value);
  }
  if (tags.size > TAGS_MAX)
    return `there are ${tags.size} tags, and at most ${TAGS_MAX} are allowed`;
  return Object.fromEntries(tags);
}

const encoded = (text: string) =>
  text.replaceAll(/[%,]|^\s|\s$/g, (each) => encodeURIComponent(each));

/** The text that `readTagText` reads as these tags. */
export const tagText = (tags: Tags): string =>
  Object.entries(tags)
    .map(([name, value]) => `${encoded(name).replaceAll("=", "%3D")}=${encoded(value)}`)
    .join(", ");

const isTags = (text: string) => typeof readTagText(text) !== "string";

/** Tags of a filter: all of them must match. `team=`: requests without the tag. */
export const tagFilter = z
  .string()
  .min(1)
  .max(TAG_TEXT_LENGTH_MAX)
  .refine(isTags, "it must be tags, such as team=a, job=7");
const oneTag = tagFilter.refine((text) => {
  const tags = readTagText(text);
  const values = typeof tags === "string" ? [] : Object.values(tags);
  return values.length === 1 && values[0] !== "";
}, "it must be one tag, such as team=a");
export const tagName = z.string().min(1).max(TAG_NAME_LENGTH_MAX);

/** By whose values `group` groups. */
const groupTag = tagName.optional();
export const summaryGrouping = { group: z.enum(summaryGroups).default("day"), groupTag };
export const chartGrouping = {
  group: z.enum(chartGroups).default("model"),
  /** Divides each group once more. */
  thenBy: z.enum(chartGroups).optional(),
  groupTag,
};
export const namesTag = ({
  group,
  thenBy,
  groupTag: name,
}: {
  group: string;
  thenBy?: string | undefined;
  groupTag?: string | undefined;
}) => (group === "tag" || thenBy === "tag") === (name !== undefined);
export const tagNamed = {
  path: ["groupTag"],
  message: "it goes with the group `tag`, which needs it",
};

const budget = pointsInput.nullable().optional();

const tagBudget = z.object({
  tag: answerText,
  period: z.enum(budgetPeriods),
  budget: points,
  spent: points,
  held: points,
  left: points,
  zone: answerText,
  renewsAt: moment,
});

export const tagEndpoints = {
  listTags: {
    ...get("/api/tags", byUser("readUsage", "usage:read")),
    command: "tag list",
    /** The names of this month, each with its values: as many as one answer has. */
    answer: z.object({
      tags: answerRows(
        z.object({
          name: answerText,
          valueCount: z.number().int(),
          values: answerRows(answerText),
        }),
      ),
    }),
  },
  listTagBudgets: {
    ...get("/api/tag-budgets", byUser("readUsage", "usage:read")),
    command: "tag budgets",
    answer: z.object({ budgets: answerRows(tagBudget) }),
  },
  setTagBudget: {
    ...post("/api/tag-budgets", byUser("changeAccount", "account:write")),
    command: "tag budget",
    proof: "recent",
    /** Absent: stays as it is. Null: none. */
    body: z.strictObject({
      tag: oneTag,
      budgetDay: budget,
      budgetWeek: budget,
      budgetMonth: budget,
      budgetZone: z.string().min(1).max(ZONE_LENGTH_MAX).optional(),
    }),
    answer: done,
  },
} as const satisfies PageEndpoints;

export type TagBudgetView = z.infer<
  (typeof tagEndpoints)["listTagBudgets"]["answer"]
>["budgets"][number];
