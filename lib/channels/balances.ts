/**
 * Reads what is left at the upstreams of channels, now and then, and tells operators when it falls below
 * the amount that they set. One process of the installation makes each reading.
 */
import type pg from "pg";
import { inTransaction } from "../db/transaction";
import { spread } from "../timing/spread";
import { type Running, startWorker } from "../timing/worker";
import type { BalanceRead } from "../upstream/balance";
import type { Channel } from "../upstream/provider";

const FIRST_LOOK_MS = 60_000;
const LOOK_MS = 15_000;
/** Between two readings. */
const USUAL_SECONDS = 600;
const FAILED_SECONDS = 1800;
const NONE_SECONDS = 86_400;
/** Of one look, so that no upstream that answers late holds up the others for long. */
const READINGS_MAX = 50;

export interface BalanceDeps {
  readonly pool: pg.Pool;
  readonly channels: () => readonly Channel[];
  readonly read: (channel: Channel) => Promise<BalanceRead>;
  readonly random?: () => number;
}

/** Only one process gets a reading, and the next one not before its time. */
const claim = `
insert into upstream_balance as b (channel_id, credential, next_at)
select $1, $2, now() + make_interval(secs => $3) where exists (select from channel where id = $1)
on conflict (channel_id, credential) do update set next_at = excluded.next_at where b.next_at <= now()
returning channel_id`;

const note = `
with before as (select * from upstream_balance where channel_id = $1 and credential = $2 for update),
     alarm as (select max(alarm_below) as below from upstream_balance where channel_id = $1)
update upstream_balance b
   set amount = $3, currency = $4, read_at = now(), failed = null, next_at = now() + make_interval(secs => $5),
       low_since = case when $3::bigint < a.below then coalesce(b.low_since, now()) end
  from before o, alarm a where b.channel_id = o.channel_id and b.credential = o.credential
returning o.low_since as before, b.low_since as after, a.below::text`;

const noteFailed = `
update upstream_balance set failed = $3, next_at = now() + make_interval(secs => $4),
       amount = case when $5 then null else amount end, currency = case when $5 then null else currency end,
       low_since = case when $5 then null else low_since end
 where channel_id = $1 and credential = $2`;

const tell = "select notification_to_operators($1, $2, $3)";

const text = (millionths: string | bigint) => String(Number(millionths) / 1e6);

/** Notes a balance, and tells operators where it crossed their amount, in one commit. */
async function noteBalance(
  { pool, random = Math.random }: BalanceDeps,
  { id, name }: Channel,
  credential: string,
  read: BalanceRead,
): Promise<void> {
  if (!read.isOk) {
    const seconds = spread(read.hasNone ? NONE_SECONDS : FAILED_SECONDS, random);
    await pool.query(noteFailed, [id, credential, read.reason, seconds, read.hasNone]);
    return;
  }
  const { amount, currency } = read.balance;
  const noted = [id, credential, amount.toString(), currency, spread(USUAL_SECONDS, random)];
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ before: Date | null; after: Date | null; below: string }>(
      note,
      noted,
    );
    const [row] = rows;
    if (row === undefined || (row.before === null) === (row.after === null)) return;
    const since = (row.after ?? row.before ?? new Date()).toISOString();
    const place = { channel: id, name, credential: credential || null, since };
    const data = { ...place, balance: text(amount), currency, below: text(row.below ?? "0") };
    const kind = row.after === null ? "upstream_refilled" : "upstream_low";
    await client.query(tell, [kind, `${id}/${credential}:${since}`, JSON.stringify(data)]);
  });
}

/** Reads every balance that is due. A reading that is broken off says nothing. */
export async function readDue(deps: BalanceDeps, stopped?: AbortSignal): Promise<void> {
  const { pool, read, random = Math.random } = deps;
  const places = deps
    .channels()
    .flatMap((channel) => channel.choices ?? [channel])
    .map((channel) => ({ channel, credential: channel.credential?.name ?? "" }));
  const { rows } = await pool.query<{ key: string }>(
    "select channel_id || '/' || credential as key from upstream_balance where next_at > now()",
  );
  const waiting = new Set(rows.map(({ key }) => key));
  const due = places.filter(
    ({ channel, credential }) => !waiting.has(`${channel.id}/${credential}`),
  );
  for (const { channel, credential } of due.slice(0, READINGS_MAX)) {
    const seconds = spread(FAILED_SECONDS, random);
    const claimed = await pool.query(claim, [channel.id, credential, seconds]);
    if (claimed.rowCount === 0) continue;
    const found = await read(channel);
    if (stopped?.aborted) return;
    await noteBalance(deps, channel, credential, found);
  }
}

export function startBalances(deps: BalanceDeps, onProblem: (error: unknown) => void): Running {
  let isFirst = true;
  return startWorker({
    turn: async (stopped) => {
      // A start has more urgent work, and processes that start together do not look together.
      if (isFirst) {
        isFirst = false;
        return FIRST_LOOK_MS * (1 + Math.random());
      }
      await readDue(deps, stopped);
      return LOOK_MS;
    },
    afterFailureMs: LOOK_MS,
    onProblem,
  });
}
