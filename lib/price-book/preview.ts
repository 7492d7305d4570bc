/** Computes what other prices would have charged for real usage of the past. */

import { findModel } from "../catalog/models";
import type { Family } from "../contract/states";
import { firstOperationId } from "../crypto/ids";
import { isQueryCanceled } from "../db/database-errors";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import { type Price, priceOf } from "../pricing/price";
import { atTime, dependsOnTime } from "../pricing/price-at";
import { type Quantities, usageOf } from "../pricing/usage";
import { type UnitSum, UnitSums } from "./unit-sums";

/**
 * The periods that are tried, in days: the next one is used when the database cannot read the
 * requests of the one before in time.
 */
const SPANS_DAYS = [30, 7, 1];
/** At most this many of a model's newest requests are used. */
const REQUESTS_MAX = 50_000;
const DAY_MS = 86_400_000;

export interface PricePreview {
  readonly model: string;
  /** The number of days that were used. */
  readonly days: number;
  readonly requests: number;
  /** True when there were more requests and only the newest were used. */
  readonly isPartial: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What was charged, at the prices of the time. */
  readonly charged: Micropoints;
  /** What the current price would have charged; null without one. */
  readonly atPresent: Micropoints | null;
  /** What the new price would have charged. */
  readonly atNew: Micropoints;
  readonly units: readonly UnitSum[];
}

interface Row {
  readonly ppm: number;
  readonly at: Date;
  readonly input: string;
  readonly output: string;
  readonly amount: string;
  /** Null for a request of an earlier release. */
  readonly quantities: Quantities | null;
}

const query = `
select multiplier_ppm as ppm, created_at as at, input_tokens as input, output_tokens as output, amount, usage -> 'quantities' as quantities from request
 where id >= $1 and model = $2 and outcome = 'settled' order by id desc limit ${REQUESTS_MAX + 1}`;

const isTooSlow = (error: unknown) =>
  isQueryCanceled(error) || (error instanceof Error && error.message.includes("timeout"));

async function readUsed(pool: Reader, model: string): Promise<{ rows: Row[]; days: number }> {
  for (const days of SPANS_DAYS) {
    try {
      const { rows } = await pool.query<Row>(query, [
        firstOperationId(Date.now() - days * DAY_MS),
        model,
      ]);
      return { rows, days };
    } catch (error) {
      if (!isTooSlow(error) || days === SPANS_DAYS.at(-1)) throw error;
    }
  }
  return { rows: [], days: 0 };
}

/** What was not written down of a request is that it was one, and one image where it made one. */
function usedBy(family: Family, { at, input, output, quantities }: Row, isTimed: boolean) {
  const used = usageOf({ inputTokens: Number(input), outputTokens: Number(output) }, quantities);
  const usage = isTimed ? atTime(used, at.getTime()) : used;
  if (quantities !== null) return usage;
  return { ...usage, requests: 1, images: family === "image" ? 1 : 0 };
}

/** Prices every settled request of the last days again, with the multiplier of its own account. */
export async function previewPrice(
  pool: Reader,
  model: string,
  present: Price | null,
  next: Price,
): Promise<PricePreview> {
  const { rows, days } = await readUsed(pool, model);
  const used = rows.slice(0, REQUESTS_MAX);
  const family = findModel(model)?.family ?? "text";
  const units = new UnitSums(family, present, next);
  const isTimed = [present, next].some((price) => price !== null && dependsOnTime(price));
  let [inputTokens, outputTokens, charged, atPresent, atNew] = [0, 0, 0n, 0n, 0n];
  for (const row of used) {
    const usage = usedBy(family, row, isTimed);
    units.add(usage, row.ppm);
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
    charged += BigInt(row.amount);
    if (present !== null) atPresent += priceOf(usage, present, row.ppm);
    atNew += priceOf(usage, next, row.ppm);
  }
  const sums = {
    inputTokens,
    outputTokens,
    charged,
    atPresent: present === null ? null : atPresent,
    atNew,
    units: units.sums(),
  };
  return { model, days, requests: used.length, isPartial: rows.length > used.length, ...sums };
}
