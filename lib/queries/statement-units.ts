/** What the settled requests of an account counted, by model and unit, and images by quality. Read-only. */

import { HOLD_DAYS_MAX } from "../contract/limits";
import type { Unit } from "../contract/units";
import { isOutage } from "../db/database-errors";
import type { Reader } from "../db/pool";
import { inUnitOrder } from "../pricing/rate";

interface CountedUnit {
  readonly model: string;
  readonly unit: Unit;
  /** Of images, where the model has qualities. */
  readonly quality?: string;
  readonly quantity: number;
}

type CountedRow = Omit<CountedUnit, "quality"> & { readonly quality: string | null };

/** A request of an earlier release has its tokens only. */
const query = `
select r.model, u.key as unit, case u.key when 'image' then r.usage -> 'quantities' ->> 'quality' end as quality,
       sum((u.value #>> '{}')::numeric)::float8 as quantity
  from request r
 cross join lateral jsonb_each(coalesce(r.usage -> 'quantities', jsonb_build_object(
         'input_token', r.input_tokens,
         case r.family when 'text' then 'output_token' else r.family || '_token' end, r.output_tokens))) u
 where r.account_id = $1 and r.outcome = 'settled' and r.created_at >= $2::date - ${HOLD_DAYS_MAX} and r.created_at < $3::date + 2
   and (r.ended_at at time zone 'UTC')::date between $2::date and $3::date
   and jsonb_typeof(u.value) = 'number' and u.value <> '0'
 group by 1, 2, 3 order by 1, 3`;

/**
 * The quantities of whole UTC days, `from` to `to`, both included; null when there are too many
 * requests to sum in time.
 */
export async function countedUnits(
  pool: Reader,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<CountedUnit[] | null> {
  try {
    const { rows } = await pool.query<CountedRow>(query, [accountId, from, to]);
    return rows
      .map(({ quality, ...row }) => (quality === null ? row : { ...row, quality }))
      .sort((one, other) => one.model.localeCompare(other.model) || inUnitOrder(one, other));
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
}
