/**
 * The requests of a filter as rows that can be added up: the sums of whole hours, and single
 * requests where no sum has them. All in one statement, so that each request is in exactly one row.
 */
import type { ChartGrouping, HoldState, SummaryGrouping } from "../contract/states";
import { amountsOf, beginOf, isOfAmounts, tagConditions, type UsageFilter } from "./usage-filter";

type Grouping = SummaryGrouping | ChartGrouping;

/** Separates the two parts of an id when there are two groupings; no part contains it. */
export const ID_SEPARATOR = "\u001f";
/** SQL: a part of such an id. */
export const idPart = (id: string, part: 1 | 2) => `split_part(${id}, chr(31), ${part})`;
const joined = (first: string, second: string) => `${first} || chr(31) || ${second}`;

/** What facts of a group have in common. A member's part has the key until the member is known. */
function idOf({ by, thenBy, tag }: Pick<Wanted, "by" | "thenBy" | "tag">, key: string): string {
  const parts = { day: "''::text", model: "r.model", family: "r.family", key, member: key, tag };
  return thenBy === undefined ? parts[by] : joined(parts[by], parts[thenBy]);
}

/** The id of a fact `m` with its member. */
function idOfMember({ by, thenBy }: Pick<Wanted, "by" | "thenBy">): string {
  if (thenBy === "member") return joined(idPart("id", 1), "member");
  if (by !== "member") return "id";
  return thenBy === undefined ? "member" : joined("member", idPart("id", 2));
}

type EndedStatus = "settled" | "released" | undefined;
/** The figures of an ended request, or of a sum, that depend on the status which is asked for. */
const countsOf = (status: EndedStatus): readonly string[] =>
  status === "released"
    ? ["0", "r.released", "0", "0", "0"]
    : [
        "r.settled",
        status === undefined ? "r.released" : "0",
        "r.input_tokens",
        "r.output_tokens",
        "r.amount",
      ];
const rowTimes = "array_remove(array[r.latency], null), array_remove(array[r.first_token], null)";
const noTimes = "'{}'::bigint[], '{}'::bigint[]";
const start = beginOf("$2::date");
const stop = beginOf("$3::date + 1");
const isInRange = `r.created_at >= ${start} and r.created_at < ${stop}`;
const hourOf = (time: string) => `date_trunc('hour', ${time}, 'UTC')`;
/** Whether a time is in an hour that may have requests of a dropped month: those are only in files. */
const isDropped = (time: string) => `exists (select from ledger_archive_drop d
    where ${hourOf(time)} >= d.month::timestamp at time zone 'UTC' - interval '1 hour'
      and ${hourOf(time)} < (d.month + interval '1 month') at time zone 'UTC' + interval '1 hour')`;

/**
 * The days, or the whole range as one. The sums of the hours from `begins` and before `below` are
 * taken. Where a day begins or ends within an hour, its requests in that hour are read (`edge`);
 * those of a dropped month cannot be, so there the hour's sum counts where the hour begins. With
 * `isOfRows` all requests of the days are read, and no sum.
 */
const daysSql = (byDay: boolean, isOfRows: boolean) => `
    day (day, begins, ends, below) as materialized (
      select day, begins, ends, ${isOfRows ? "begins" : `case when ${isDropped("ends")} then ends else ${hourOf("ends")} end`} from (
        ${
          byDay
            ? `select d::date as day, ${beginOf("d")} as begins, ${beginOf("d + interval '1 day'")} as ends
          from generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') d`
            : `select null::date as day, ${start} as begins, ${stop} as ends`
        }) d where begins < ends
    ), edge (day, begins, ends) as materialized (
      ${isOfRows ? "select day, begins, ends from day" : edges})`;

const edges = `select day, begins, ${hourOf("begins")} + interval '1 hour' from day where begins <> ${hourOf("begins")} and not ${isDropped("begins")}
      union all select day, below, ends from day where below < ends`;

/** The conditions that every source has, on `r`; adds their values. */
function conditionsOf(filter: UsageFilter, values: unknown[]): string {
  const parts: string[] = [];
  if (filter.model !== undefined) parts.push(`r.model = $${values.push(filter.model)}`);
  if (filter.key !== undefined)
    parts.push(
      `coalesce(r.api_key_id, '') = $${values.push(filter.key === "none" ? "" : filter.key)}`,
    );
  if (filter.dialect !== undefined)
    parts.push(`coalesce(r.dialect, '') = $${values.push(filter.dialect)}`);
  parts.push(...amountsOf(filter, values));
  parts.push(...tagConditions(filter, "r", values));
  return parts.map((part) => ` and ${part}`).join("");
}

/** The day of a request. */
const dayOf = (byDay: boolean) => (byDay ? "(r.created_at at time zone $4)::date" : "null::date");

/** What the sources of a filter have in common. */
interface Wanted {
  readonly by: Grouping;
  /** Another one, which divides each group. */
  readonly thenBy: ChartGrouping | undefined;
  /** SQL: the value of the tag by which it is grouped, empty without one. */
  readonly tag: string;
  /** Its facts have the key. */
  readonly hasKey: boolean;
  /** SQL: the day of a request `r`. */
  readonly day: string;
  readonly status: HoldState | undefined;
  /** Whether all are read one by one: no sum and no running request can match. */
  readonly isOfRows: boolean;
  /** SQL: the conditions of the filter. */
  readonly where: string;
}

const statusWanted = (status: EndedStatus) => (status === undefined ? "" : ` and r.${status} > 0`);
const idsOf = (wanted: Wanted, key: string) =>
  `${idOf(wanted, key)}, ${wanted.hasKey ? key : "''::text"}`;

const isInNoEdge = `r.hour not in (select ${hourOf("begins")} from edge)`;

/**
 * Of ended requests `hour` of the sums of whole hours, and `row` of the rows at the edges of days and
 * of those that are in no sum yet: added up within each day if they are `summed`, since a year has
 * hundreds of thousands of them. `offset 0` has the index searched for each day.
 */
function endedSources(
  wanted: Wanted,
  status: EndedStatus,
  {
    hour,
    row,
    isSummed,
  }: { readonly hour: string; readonly row: string; readonly isSummed: boolean },
): string {
  const ids = idsOf(wanted, "r.api_key_id");
  const where = wanted.where + statusWanted(status);
  const end = isSummed ? "group by 1, 2" : "offset 0";
  return `select d.day, h.* from day d cross join lateral (
        select ${ids}, ${hour} from usage_hour r where r.account_id = $1 and r.hour >= d.begins and r.hour < d.below${where} ${end}) h
      union all select e.day, o.* from edge e cross join lateral (
        select ${ids}, ${row} from usage_row r where r.account_id = $1 and r.created_at >= e.begins and r.created_at < e.ends${where} ${end}) o
      union all select ${wanted.day}, ${ids}, ${row} from usage_waiting w join usage_row r on r.id = w.operation_id
       where w.account_id = $1 and ${isInRange} and ${wanted.isOfRows ? "false" : isInNoEdge}${where} ${isSummed ? "group by 1, 2, 3" : ""}`;
}

/** The figures of a fact, in the order of the sources. */
const figures = "settled, released, input_tokens, output_tokens, amount, running, held";
const times = "latency, first_token";

function figureSources(wanted: Wanted): string {
  const { status, day, where } = wanted;
  const sources: string[] = [];
  if (status !== "held") {
    const sums = `${countsOf(status)
      .map((count) => `sum(${count})::bigint`)
      .join(", ")}, 0, 0`;
    sources.push(endedSources(wanted, status, { hour: sums, row: sums, isSummed: true }));
  }
  if (!wanted.isOfRows && (status === undefined || status === "held"))
    sources.push(`select ${day}, ${idsOf(wanted, "coalesce(r.api_key_id, '')")}, 0, 0, 0, 0, 0, 1, r.hold_amount
        from open_request r where r.account_id = $1 and ${isInRange}${where}`);
  return sources.join("\n      union all ");
}

/** Only settled requests have times. */
const timeSources = (wanted: Wanted): string =>
  wanted.status === undefined || wanted.status === "settled"
    ? endedSources(wanted, wanted.status, {
        hour: times,
        row: rowTimes,
        isSummed: false,
      })
    : `select null::date, '', '', ${noTimes} where false`;

/** The requests that members made in the playground, each with its member, from their notes. */
function notedSources(wanted: Wanted): string {
  const { status, day, where, isOfRows } = wanted;
  const isNear = `p.account_id = $1 and p.created_at >= ${start} - interval '7 days' and p.created_at < ${stop}`;
  const head = `select p.user_id, ${day}, ${idOf(wanted, "''::text")}`;
  const sources: string[] = [];
  if (status !== "held")
    sources.push(`${head}, ${countsOf(status).join(", ")}, 0, 0, ${rowTimes}
         from playground_operation p join usage_row r on r.id = p.operation_id
        where ${isNear} and r.account_id = $1 and r.api_key_id = '' and ${isInRange}${where}${statusWanted(status)}`);
  if (!isOfRows && (status === undefined || status === "held"))
    sources.push(`${head}, 0, 0, 0, 0, 0, 1, r.hold_amount, ${noTimes}
         from playground_operation p join open_request r on r.id = p.operation_id
        where ${isNear} and r.account_id = $1 and r.api_key_id is null and ${isInRange}${where}`);
  return sources.join("\n      union all ");
}

/** The entries of a histogram with their counts below zero. */
const subtractedTimes = times.replaceAll(
  /\w+/g,
  "array(select e - ((e >> 9) << 10) from unnest($&) e)",
);

/**
 * The facts with their member: the maker of the key, or the user of the playground; empty if neither
 * is known. The sums count the playground of all members together, without a member. So each noted
 * request is added to its member, and subtracted from the facts without one.
 */
function ofMembers(wanted: Wanted, member: string | undefined, values: unknown[]): string {
  const isOwn = member === undefined ? "true" : `m.member = $${values.push(member)}`;
  const made = (known: string, columns: string, subtracted: string) => `
      select day, ${idOfMember(wanted)}, ${columns} from (
        select f.day, f.id, ${columns}, coalesce(k.created_by, '') as member
          from ${known} f left join api_key k on k.id = f.key and k.account_id = $1
        union all select day, id, ${columns}, member from noted
        union all select day, id, ${subtracted}, '' from noted) m where ${isOwn}`;
  return `noted (member, day, id, ${figures}, ${times}) as materialized (
      ${notedSources(wanted)}
    ), facts (day, id, ${figures}) as not materialized (${made("known", figures, figures.replaceAll(/\w+/g, "-$&"))}
    ), timed (day, id, ${times}) as not materialized (${made("known_times", times, subtractedTimes)}
    )`;
}

const ofAll = `facts (day, id, ${figures}) as not materialized (select day, id, ${figures} from known
    ), timed (day, id, ${times}) as not materialized (select day, id, ${times} from known_times
    )`;

/**
 * Common table expressions, more may follow, and their values: the figures of a filter in `facts`, and
 * the histograms of the times in `timed`. Each has the `id` of its group; with `byDay` its day in the
 * filter's zone, which is `$4`, and otherwise null. The facts of a group may add up to nothing.
 */
export function usageFacts(
  accountId: string,
  filter: UsageFilter,
  {
    by,
    thenBy,
    byDay,
    tag,
  }: {
    readonly by: Grouping;
    readonly thenBy?: ChartGrouping | undefined;
    readonly byDay: boolean;
    readonly tag?: string | undefined;
  },
): { readonly sql: string; readonly values: unknown[] } {
  const values: unknown[] = [accountId, filter.from, filter.to, filter.zone];
  const where = conditionsOf(filter, values);
  const isBy = (grouping: Grouping) => by === grouping || thenBy === grouping;
  const hasKey = isBy("member") || filter.member !== undefined;
  const isOfRows = isOfAmounts(filter);
  const ofTag = isBy("tag") ? `coalesce(r.tags ->> $${values.push(tag ?? "")}, '')` : "''::text";
  const status = filter.status;
  const wanted = { by, thenBy, tag: ofTag, hasKey, day: dayOf(byDay), status, isOfRows, where };
  const sql = `${daysSql(byDay, isOfRows)}, known (day, id, key, ${figures}) as not materialized (
      ${figureSources(wanted)}
    ), known_times (day, id, key, ${times}) as materialized (
      ${timeSources(wanted)}
    ), ${hasKey ? ofMembers(wanted, filter.member, values) : ofAll}`;
  return { sql, values };
}
