/**
 * Reads the price lists of upstreams now and then, and keeps what they ask for the models of their
 * channels. One process of the installation makes each reading. Nothing is taken over.
 */
import type pg from "pg";
import type { PriceListFormat } from "../contract/price-list-words";
import { inTransaction } from "../db/transaction";
import { spread } from "../timing/spread";
import { type Running, startWorker } from "../timing/worker";
import type { PriceListPlace, PriceListRead } from "../upstream/price-list";
import type { Channel } from "../upstream/provider";

const LOOK_MS = 30_000;
const USUAL_SECONDS = 6 * 3600;
const FAILED_SECONDS = 3600;
const READINGS_MAX = 10;

export interface PriceListDeps {
  readonly pool: pg.Pool;
  readonly byId: (id: string) => Channel | undefined;
  readonly read: (channel: Channel, place: PriceListPlace) => Promise<PriceListRead>;
}

interface Due {
  readonly channel_id: string;
  readonly format: PriceListFormat;
  readonly address: string | null;
}

/** Only one process gets a reading. */
const claim = `
update upstream_price_list l set next_at = now() + make_interval(secs => $1)
 where channel_id in (select channel_id from upstream_price_list where next_at <= now()
                       order by next_at limit ${READINGS_MAX} for update skip locked)
returning channel_id, format, address`;

/** What is as before keeps its time. */
const note = `
insert into upstream_listed_rate as r (channel_id, model, rates)
select $1, e.key, e.value from jsonb_each($2::jsonb) e
on conflict (channel_id, model) do update set rates = excluded.rates, since = now() where r.rates <> excluded.rates`;

/** The list may have been set anew meanwhile: then the reading counts for nothing. */
const noteRead = `
update upstream_price_list set read_at = coalesce($4, read_at), failed = $5, next_at = now() + make_interval(secs => $6)
 where channel_id = $1 and format = $2 and address is not distinct from $3 returning channel_id`;

async function noteList(
  { pool }: PriceListDeps,
  { channel_id, format, address }: Due,
  channel: Channel,
  read: PriceListRead,
): Promise<void> {
  const place = [channel_id, format, address];
  if (!read.isOk) {
    await pool.query(noteRead, [...place, null, read.reason, spread(FAILED_SECONDS, Math.random)]);
    return;
  }
  const listed = Object.values(channel.models).flatMap((model) => {
    const rates = read.rates.get(model);
    return rates === undefined ? [] : [[model, rates] as const];
  });
  await inTransaction(pool, async (client) => {
    const noted = [...place, new Date(), null, spread(USUAL_SECONDS, Math.random)];
    if ((await client.query(noteRead, noted)).rowCount === 0) return;
    await client.query(
      "delete from upstream_listed_rate where channel_id = $1 and model <> all($2)",
      [channel_id, listed.map(([model]) => model)],
    );
    await client.query(note, [channel_id, JSON.stringify(Object.fromEntries(listed))]);
  });
}

/** Reads every list that is due. A reading that is broken off says nothing. */
export async function readDueLists(deps: PriceListDeps, stopped?: AbortSignal): Promise<void> {
  const { pool, byId, read } = deps;
  const { rows } = await pool.query<Due>(claim, [spread(FAILED_SECONDS, Math.random)]);
  for (const due of rows) {
    const channel = byId(due.channel_id);
    if (channel === undefined || stopped?.aborted) continue;
    const found = await read(channel, due);
    if (stopped?.aborted) return;
    await noteList(deps, due, channel, found);
  }
}

export function startPriceLists(deps: PriceListDeps, onProblem: (error: unknown) => void): Running {
  return startWorker({
    turn: async (stopped) => {
      await readDueLists(deps, stopped);
      return LOOK_MS;
    },
    afterFailureMs: LOOK_MS,
    onProblem,
  });
}
