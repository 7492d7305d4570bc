/**
 * How available, reliable and fast each model was, for everyone: what home, the models' page, the
 * status page and the studio show. Read-only.
 */

import { findModel } from "../catalog/models";
import type { LastHour, ModelFigures } from "../contract/model-figures";
import { firstOperationId } from "../crypto/ids";
import { onlyRow } from "../db/only-row";
import type { Reader } from "../db/pool";
import { timeOf } from "./step-time";
import { endedTimes, madeHours } from "./total-facts";
import { typicalSeconds } from "./typical-times";

/** With fewer requests a single failure would decide. */
const REQUESTS_MIN = 20;
const RECENT_MIN = 5;
const HOUR_MS = 3_600_000;

/** Parts of whole hours (UTC), up to the one that goes on now. */
interface FigureRange {
  readonly slotHours: number;
  readonly slotCount: number;
}
export const lastWeek: FigureRange = { slotHours: 6, slotCount: 28 };
export const lastDays: FigureRange = { slotHours: 24, slotCount: 90 };

interface Row {
  model: string;
  /** Null for the whole time. */
  slot: number | null;
  answered: number;
  failed: number;
  hours: number;
  hours_up: number;
  recent_answered: number;
  recent_failed: number;
  /** The steps of the medians. */
  latency: number | null;
  first_token: number | null;
}

const shareOf = (good: number, bad: number, min: number): number | null =>
  good + bad < min ? null : good / (good + bad);

/** `$2`: the hours of a slot; `$3`: from when on a request is recent. */
const figuresSql = `with ${madeHours}, ${endedTimes}, model_hours as (
    select model, hour, sum(settled::float8) as answered, sum(failed::float8) as failed from hours where settled + failed > 0 group by 1, 2
  ), sums as (
    select model, slot, sum(answered) as answered, sum(failed) as failed, count(*)::int as hours,
           (count(*) filter (where answered >= failed))::int as hours_up,
           coalesce(sum(answered) filter (where hour >= $3), 0) as recent_answered,
           coalesce(sum(failed) filter (where hour >= $3), 0) as recent_failed
      from (select *, floor(extract(epoch from hour - $1::timestamptz)::float8 / 3600 / $2)::int as slot from model_hours) h
     group by grouping sets ((model, slot), (model))
  ), streamed as (
    select distinct model from times where first_token <> '{}' and first_token <> '{null}'
  ), entries as (
    select model, true as is_first, unnest(first_token) as e from times
    union all select model, false, unnest(latency) from times where model not in (select model from streamed)
  ), steps as (
    select model, is_first, (e & 511)::int as step, sum((e >> 9)::float8) as n from entries where e is not null group by 1, 2, 3
  ), medians as (
    select model, min(step) filter (where not is_first) as latency, min(step) filter (where is_first) as first_token
      from (select *, sum(n) over (own order by step) * 2 >= sum(n) over own as is_half from steps window own as (partition by model, is_first)) s
     where is_half group by 1
  ) select s.*, m.latency, m.first_token from sums s left join medians m on m.model = s.model and s.slot is null`;

const isMade = (model: string) => (findModel(model)?.family ?? "text") !== "text";

/**
 * Models without requests are absent. Times of text are right to about 2 %, and those of whole
 * days; those of videos and images are of the latest results, as the studio shows them.
 */
export async function readModelFigures(
  pool: Reader,
  { slotHours, slotCount }: FigureRange,
  now: number = Date.now(),
): Promise<ModelFigures[]> {
  const slotMs = slotHours * HOUR_MS;
  const from = Math.ceil((now + 1) / slotMs) * slotMs - slotCount * slotMs;
  const recentFrom = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS;
  const { rows } = await pool.query<Row>(figuresSql, [
    new Date(from),
    slotHours,
    new Date(recentFrom),
  ]);
  const wholes = rows.filter(({ slot }) => slot === null);
  const made = wholes.map(({ model }) => model).filter(isMade);
  const { seconds } = await typicalSeconds(pool, made);
  const usualOf = ({ model, latency }: Row): number | null =>
    isMade(model) ? (seconds[model] ?? 0) * 1000 || null : timeOf(latency);
  return wholes.map((whole) => {
    const own = rows.filter(({ model, slot }) => model === whole.model && slot !== null);
    const success = shareOf(whole.answered, whole.failed, REQUESTS_MIN);
    const isKnown = success !== null;
    return {
      model: whole.model,
      success,
      availability: isKnown ? whole.hours_up / whole.hours : null,
      recent: shareOf(whole.recent_answered, whole.recent_failed, RECENT_MIN),
      usualMs: isKnown ? usualOf(whole) : null,
      firstTokenMs: isKnown ? timeOf(whole.first_token) : null,
      slots: Array.from({ length: slotCount }, (_, slot) => {
        const part = own.find((row) => row.slot === slot);
        return part ? shareOf(part.answered, part.failed, 1) : null;
      }),
    };
  });
}

/** However many there were, no more of the last hour's requests are read. */
const HOUR_REQUESTS_MAX = 20_000;

/** Of the newest ended requests that were made in the last hour. */
export async function readLastHour(pool: Reader, now: number = Date.now()): Promise<LastHour> {
  const found = await pool.query<{
    requests: number;
    answered: number;
    failed: number;
    first_token: number | null;
  }>(
    `select count(*)::int as requests, coalesce(sum(settled), 0)::int as answered, coalesce(sum(failed), 0)::int as failed,
            (percentile_disc(0.5) within group (order by first_token & 511))::int as first_token
       from (select settled, failed, first_token from usage_row where id >= $1 and created_at >= $2 order by id desc limit $3) r`,
    [firstOperationId(now - HOUR_MS), new Date(now - HOUR_MS), HOUR_REQUESTS_MAX],
  );
  const { requests, answered, failed, first_token: step } = onlyRow(found);
  return {
    requests,
    isMore: requests === HOUR_REQUESTS_MAX,
    success: shareOf(answered, failed, RECENT_MIN),
    firstTokenMs: timeOf(step),
  };
}
