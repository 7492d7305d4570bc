/** How reliable and how fast each model was in the last seven days, for everyone. Read-only. */
import type pg from "pg";
import type { ModelFigures } from "../contract/model-figures";
import type { FailureCause } from "../contract/states";
import { pause } from "../pause";
import { failureCauseOf } from "./failure-cause";
import { madeSince, rangeOf, slotSql, valuesOf } from "./trends";

/** With fewer requests a single failure would decide. */
const REQUESTS_MIN = 20;
const KEPT_MS = 5 * 60_000;
/** A page does not wait longer for the first figures. */
const FIRST_WAIT_MS = 500;
/** Failures that are the requests' own do not count against a model. */
const ownCauses: readonly FailureCause[] = ["review", "client"];

interface Row {
  model: string;
  /** Null for the whole time. */
  slot: number | null;
  outcome: "settled" | "released" | null;
  reason: string | null;
  requests: number;
  duration: number | null;
  first_byte: number | null;
}

function successOf(rows: readonly Row[], requestsMin: number): number | null {
  let [settled, failed] = [0, 0];
  for (const { outcome, reason, requests } of rows) {
    if (outcome === "settled") settled += requests;
    else if (!ownCauses.includes(failureCauseOf(reason ?? ""))) failed += requests;
  }
  return settled + failed < requestsMin ? null : settled / (settled + failed);
}

/** Models without requests are absent. */
export async function readModelFigures(
  pool: pg.Pool,
  now: number = Date.now(),
): Promise<ModelFigures[]> {
  const range = rangeOf("week", now);
  const { rows } = await pool.query<Row>(
    `select model, slot, outcome, reason, count(*)::int as requests,
            percentile_disc(0.5) within group (order by duration_ms) filter (where outcome = 'settled') as duration,
            percentile_disc(0.5) within group (order by first_byte_ms) filter (where outcome = 'settled') as first_byte
       from (select o.model, ${slotSql} as slot, s.outcome, s.reason, s.duration_ms, s.first_byte_ms ${madeSince}) r
      where outcome is not null group by grouping sets ((model, slot, outcome, reason), (model))`,
    valuesOf(range),
  );
  return rows
    .filter(({ slot }) => slot === null)
    .map(({ model, duration, first_byte }) => {
      const own = rows.filter((row) => row.model === model && row.slot !== null);
      const success = successOf(own, REQUESTS_MIN);
      return {
        model,
        success,
        usualMs: success === null ? null : duration,
        firstTokenMs: success === null ? null : first_byte,
        slots: Array.from({ length: range.slotCount }, (_, slot) =>
          successOf(
            own.filter((row) => row.slot === slot),
            1,
          ),
        ),
      };
    });
}

/**
 * The figures of the last minutes. They are read again by the first caller after that, who gets the
 * former ones meanwhile. None while they cannot be read.
 */
export function keepModelFigures(
  read: () => Promise<readonly ModelFigures[]>,
  clock: () => number = () => performance.now(),
): () => Promise<readonly ModelFigures[]> {
  let kept: readonly ModelFigures[] | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<unknown> = Promise.resolve();
  return async () => {
    if (clock() - askedAt >= KEPT_MS) {
      askedAt = clock();
      reading = read().then(
        (figures) => {
          kept = figures;
        },
        () => {},
      );
    }
    if (kept === null) await Promise.race([reading, pause(FIRST_WAIT_MS)]);
    return kept ?? [];
  };
}
