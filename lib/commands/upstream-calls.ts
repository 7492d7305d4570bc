/** Our own calls to a channel's upstream, as its bill should have them. Read-only. */

import { firstOperationId } from "../crypto/ids";
import type { Reader } from "../db/pool";
import { invalidValue, RelayError } from "../failures/relay-error";
import { droppedMonths } from "../ledger/archive/dropped-months";
import { type Quantities, usageOf } from "../pricing/usage";
import type { OwnCall } from "../upstream-bills/bill-line";
import { TIME_TOLERANCE_MS } from "../upstream-bills/comparison";

const HOUR_MS = 3_600_000;
/** A request may run for so long before it ends. */
const LIFE_MS = 49 * HOUR_MS;
const CALLS_MAX = 2_000_000;

interface Row {
  ref: string | null;
  at: Date;
  model: string;
  input: string | null;
  output: string | null;
  quantities: Quantities | null;
  is_settled: boolean;
}

/** Failed ones first: the request that was settled with the same id counts. */
const ours = `
select a.upstream_ref as ref, a.ended_at as at, a.upstream_model as model, null::bigint as input,
       null::bigint as output, null::jsonb as quantities, false as is_settled
  from upstream_attempt a
 where a.channel_id = $1 and a.ended_at between $2 and $3 and a.code is not null and a.upstream_ref is not null
union all
select r.upstream_ref, r.ended_at, coalesce(c.models ->> r.model, r.model), r.input_tokens, r.output_tokens,
       r.usage -> 'quantities', r.outcome = 'settled'
  from request r left join channel c on c.id = r.channel_id
 where r.id >= $4 and r.id < $5 and r.channel_id = $1 and r.ended_at between $2 and $3
   and (r.outcome = 'settled' or r.upstream_ref is not null)
 limit ${CALLS_MAX + 1}`;

/** Throws `invalid_value` for a time of which the requests are only in archived files. */
async function assertKept(pool: Reader, from: number, to: number): Promise<void> {
  const days = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), zone: "UTC" };
  const [month] = await droppedMonths(pool, days);
  if (month === undefined) return;
  throw invalidValue(
    "from",
    `The bill begins in a month whose requests are only in archived files (${month}): compare bills before their month is dropped.`,
  );
}

/**
 * Those that ended within the times, and about an hour before and after. Throws `range_too_large`, and
 * `invalid_value` for a month that was dropped.
 */
export async function upstreamCalls(
  pool: Reader,
  channelId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OwnCall[]> {
  await assertKept(pool, from, to);
  const [first, last] = [from - TIME_TOLERANCE_MS, to + TIME_TOLERANCE_MS];
  const { rows } = await pool.query<Row>(ours, [
    channelId,
    new Date(first),
    new Date(last),
    firstOperationId(Math.max(0, first - LIFE_MS)),
    firstOperationId(last),
  ]);
  if (rows.length > CALLS_MAX) throw new RelayError("range_too_large");
  return rows.map(({ ref, at, model, input, output, quantities, is_settled }) => ({
    ref,
    at: at.getTime(),
    model,
    usage: is_settled
      ? usageOf({ inputTokens: Number(input), outputTokens: Number(output) }, quantities)
      : null,
  }));
}
