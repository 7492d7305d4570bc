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
  /** The upstream's name, or ours where `is_ours`. */
  model: string;
  is_ours: boolean;
  begun: Date;
  input: string | null;
  output: string | null;
  quantities: Quantities | null;
  is_settled: boolean;
  is_test: boolean;
}

/** Failed ones and tests first: the request that was settled with the same id counts. */
const ours = `
select a.upstream_ref as ref, a.ended_at as at, a.upstream_model as model, false as is_ours, a.ended_at as begun, null::bigint as input,
       null::bigint as output, null::jsonb as quantities, false as is_settled, a.operation_id is null as is_test
  from upstream_attempt a
 where a.channel_id = $1 and a.ended_at between $2 and $3
   and (a.operation_id is null or a.code is not null and a.upstream_ref is not null)
union all
select r.upstream_ref, r.ended_at, r.model, true, r.created_at, r.input_tokens, r.output_tokens,
       r.usage -> 'quantities', r.outcome = 'settled', false
  from request r
 where r.id >= $4 and r.id < $5 and r.channel_id = $1 and r.ended_at between $2 and $3
   and (r.outcome = 'settled' or r.upstream_ref is not null)
 limit ${CALLS_MAX + 1}`;

/** What a channel called its models before each change since a time, and what it does now. */
const changes = `
select at, detail -> 'before' -> 'models' as models from operator_action
 where subject = $1 and action = 'channel.change' and at > $2 and detail -> 'before' ? 'models'
union all
select 'infinity', models from channel where id = $1 order by at`;

/** The upstream's name for a model of ours at a time. */
async function namesOf(pool: Reader, channelId: string, since: Date) {
  type Change = { at: Date | number; models: Readonly<Record<string, string>> };
  const { rows } = await pool.query<Change>(changes, [channelId, since]);
  return (model: string, time: Date): string =>
    rows.find(({ at }) => Number(at) > time.getTime())?.models[model] ?? model;
}

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
  const begin = Math.max(0, first - LIFE_MS);
  const [{ rows }, nameAt] = await Promise.all([
    pool.query<Row>(ours, [
      channelId,
      new Date(first),
      new Date(last),
      firstOperationId(begin),
      firstOperationId(last),
    ]),
    namesOf(pool, channelId, new Date(begin)),
  ]);
  if (rows.length > CALLS_MAX) throw new RelayError("range_too_large");
  return rows.map(({ ref, at, model, is_ours, begun, input, output, quantities, ...row }) => ({
    ref,
    at: at.getTime(),
    model: is_ours ? nameAt(model, begun) : model,
    ...(row.is_test && { isTest: true }),
    usage: row.is_settled
      ? usageOf({ inputTokens: Number(input), outputTokens: Number(output) }, quantities)
      : null,
  }));
}
