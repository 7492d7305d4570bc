/** Which requests of an account are asked for. */
import type { z } from "zod";
import { readTagText } from "../contract/tags";
import type { usageFilter } from "../contract/usage-filter";
import { isInvalidParameter, rangeFailure } from "../db/database-errors";
import { invalidValue, RelayError } from "../failures/relay-error";
import { requestedPoints } from "../money/requested-points";

export type UsageFilter = z.output<typeof usageFilter>;

/** Whether single requests decide, which no sum has. */
export const isOfAmounts = ({ pointsMin, pointsMax }: UsageFilter): boolean =>
  pointsMin !== undefined || pointsMax !== undefined;

/** SQL: the conditions on the charge of an ended request `r`; adds their values. */
export function amountsOf(filter: UsageFilter, values: unknown[]): string[] {
  const bounds = [
    [">=", "pointsMin"],
    ["<=", "pointsMax"],
  ] as const;
  return bounds.flatMap(([sign, name]) => {
    const text = filter[name];
    return text === undefined
      ? []
      : [`r.amount ${sign} $${values.push(requestedPoints(name, text))}`];
  });
}

const statusSql = {
  held: "r.outcome is null",
  settled: "r.outcome = 'settled'",
  released: "r.outcome = 'released'",
};

/**
 * SQL: when a day begins in the zone `$4`. A midnight at which clocks go back, as in Havana, comes
 * twice, and `at time zone` is of the second one: an hour after 23:00 is of the first.
 */
export const beginOf = (day: string) =>
  `least((${day})::timestamp at time zone $4,
    (((${day})::timestamp - interval '1 hour') at time zone $4 at time zone 'UTC' + interval '1 hour') at time zone 'UTC')`;

/** SQL: the ids of the keys that a user made in the account `$1`. */
export const keysOf = (place: number) =>
  `(select id from api_key where account_id = $1 and created_by = $${place})`;
const isOfMember = (place: number) => `(r.api_key_id in ${keysOf(place)} or r.api_key_id is null
  and exists (select from playground_operation p where p.operation_id = r.id and p.user_id = $${place}))`;

/**
 * SQL: the conditions of a filter's tags on `row`, a request or a sum; adds their values. An empty value
 * stands for what has no such tag.
 */
export function tagConditions({ tag }: UsageFilter, row: string, values: unknown[]): string[] {
  const tags = tag === undefined ? {} : readTagText(tag);
  if (typeof tags === "string") throw invalidValue("tag", `\`tag\`: ${tags}.`);
  const given = Object.entries(tags);
  const wanted = Object.fromEntries(given.filter(([, value]) => value !== ""));
  const absent = given.filter(([, value]) => value === "").map(([name]) => name);
  return [
    ...(Object.keys(wanted).length > 0
      ? [`${row}.tags @> $${values.push(JSON.stringify(wanted))}::jsonb`]
      : []),
    ...absent.map((name) => `${row}.tags ->> $${values.push(name)} is null`),
  ];
}

/** The SQL condition of a filter and its values; more values may follow. */
export function conditionOf(
  accountId: string,
  filter: UsageFilter,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [accountId, filter.from, filter.to, filter.zone];
  const parts = [
    "r.account_id = $1",
    `r.created_at >= ${beginOf("$2::date")}`,
    `r.created_at < ${beginOf("$3::date + 1")}`,
  ];
  if (filter.model !== undefined) parts.push(`r.model = $${values.push(filter.model)}`);
  if (filter.key === "none") parts.push("r.api_key_id is null");
  else if (filter.key !== undefined) parts.push(`r.api_key_id = $${values.push(filter.key)}`);
  if (filter.member !== undefined) parts.push(isOfMember(values.push(filter.member)));
  if (filter.status !== undefined) parts.push(statusSql[filter.status]);
  if (filter.dialect !== undefined) parts.push(`r.dialect = $${values.push(filter.dialect)}`);
  if (filter.status === "held" && isOfAmounts(filter))
    throw invalidValue(
      filter.pointsMin === undefined ? "pointsMax" : "pointsMin",
      "Running requests have no charge yet. Leave out their status, or the points.",
    );
  parts.push(...amountsOf(filter, values));
  parts.push(...tagConditions(filter, "r", values));
  return { sql: parts.join(" and "), values };
}

/**
 * Turns an error that the filter caused into one for the reader; any other error stays an internal
 * one.
 */
export function filterFailure(error: unknown): unknown {
  if (isInvalidParameter(error))
    return new RelayError("invalid_value", {
      param: "zone",
      message: "The time zone is unknown.",
      cause: error,
    });
  return rangeFailure(error);
}
