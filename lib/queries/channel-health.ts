/** The health of each channel, over all processes. */

import { PROCESS_LIVES_SECONDS } from "../channels/health-recorder";
import { latencyAt } from "../channels/latency";
import type { ChannelView } from "../contract/operator-channels";
import type { Reader } from "../db/pool";
import type { Stored } from "./stored";

type Health = ChannelView["health"];
export type ChannelHealth = Omit<Stored<Health, never, "cooldownUntil">, "lastError"> & {
  readonly lastError: { readonly text: string; readonly at: Date } | null;
};

interface Row {
  readonly id: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly refused: number;
  readonly succeeded_day: number;
  readonly failed_day: number;
  readonly refused_day: number;
  readonly latencies: number[] | null;
  readonly cached_share: number | null;
  readonly last_error: string | null;
  readonly last_error_at: Date | null;
  readonly in_flight: number;
  readonly rests_until: Date | null;
  readonly cooling: ChannelHealth["coolingDown"] | null;
  readonly open_tasks: number;
}

const query = `
with minutes as (
  select channel_id,
         coalesce(sum(succeeded) filter (where minute > now() - interval '15 minutes'), 0)::int as succeeded,
         coalesce(sum(failed) filter (where minute > now() - interval '15 minutes'), 0)::int as failed,
         coalesce(sum(refused) filter (where minute > now() - interval '15 minutes'), 0)::int as refused,
         sum(cached_tokens)::float8 / nullif(sum(input_tokens), 0) as cached_share,
         sum(succeeded)::int as succeeded_day, sum(failed)::int as failed_day, sum(refused)::int as refused_day
    from channel_minute where minute > now() - interval '24 hours' group by channel_id
), steps as (
  select channel_id, step, sum(count)::int as count
    from channel_minute, unnest(latencies) with ordinality as l(count, step) where minute > now() - interval '1 hour' group by channel_id, step
), latency as (
  select channel_id, array_agg(count order by step) as latencies from steps group by channel_id
), error as (
  select distinct on (channel_id) channel_id, last_error, last_error_at
    from channel_minute where last_error_at is not null order by channel_id, last_error_at desc
), running as (
  select channel_id, sum(in_flight)::int as in_flight, max(rests_until) filter (where rests_until > now()) as rests_until
    from channel_process where noted_at > now() - make_interval(secs => ${PROCESS_LIVES_SECONDS}) group by channel_id
), cooling as (
  select split_part(channel_id, '/', 1) as channel_id, jsonb_agg(jsonb_build_object('name', split_part(channel_id, '/', 2),
         'until', to_char(rests_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by channel_id) as cooling
    from running where channel_id like '%/%' and rests_until is not null group by 1
), tasks as (
  select channel_id, count(*)::int as open_tasks from video_task where status in ('queued', 'running') and channel_id is not null group by channel_id
)
select c.id, coalesce(m.succeeded, 0) as succeeded, coalesce(m.failed, 0) as failed, coalesce(m.refused, 0) as refused,
       coalesce(m.succeeded_day, 0) as succeeded_day, coalesce(m.failed_day, 0) as failed_day, coalesce(m.refused_day, 0) as refused_day,
       m.cached_share, l.latencies, e.last_error, e.last_error_at, coalesce(r.in_flight, 0) as in_flight, r.rests_until, s.cooling, coalesce(t.open_tasks, 0) as open_tasks
  from channel c
  left join minutes m on m.channel_id = c.id left join latency l on l.channel_id = c.id left join error e on e.channel_id = c.id
  left join running r on r.channel_id = c.id left join cooling s on s.channel_id = c.id left join tasks t on t.channel_id = c.id
 where c.archived_at is null and ($1::text is null or c.id = $1)`;

const HALF_HOUR_SECONDS = 1800;
/** The half hours of a day. */
const HEALTH_SLOTS = 48;

export interface HealthSlots {
  readonly channelId: string;
  /** Only half hours with attempts; the first has the number 0, the present one the highest. */
  readonly slots: { readonly slot: number; readonly succeeded: number; readonly failed: number }[];
}

/** The attempts at each channel in each half hour of the last 24 hours. */
export async function readHealthSlots(pool: Reader): Promise<HealthSlots[]> {
  const { rows } = await pool.query<HealthSlots>(
    `select channel_id as "channelId", json_agg(json_build_object('slot', slot, 'succeeded', succeeded, 'failed', failed) order by slot) as slots
       from (select m.channel_id, ${HEALTH_SLOTS} - ceil(extract(epoch from now() - m.minute) / ${HALF_HOUR_SECONDS})::int as slot,
                    sum(m.succeeded)::int as succeeded, sum(m.failed)::int as failed
               from channel_minute m join channel c on c.id = m.channel_id and c.archived_at is null
              where m.minute > now() - interval '24 hours' and m.minute < now() group by 1, 2) s
      group by 1`,
  );
  return rows;
}

function healthOf(row: Row): ChannelHealth {
  return {
    last15Minutes: { succeeded: row.succeeded, failed: row.failed, refused: row.refused },
    last24Hours: { succeeded: row.succeeded_day, failed: row.failed_day, refused: row.refused_day },
    latencyMedianMs: latencyAt(row.latencies ?? [], 0.5),
    latency95Ms: latencyAt(row.latencies ?? [], 0.95),
    cachedShare: row.cached_share,
    lastError:
      row.last_error === null || row.last_error_at === null
        ? null
        : { text: row.last_error, at: row.last_error_at },
    inFlight: row.in_flight,
    openTasks: row.open_tasks,
    cooldownUntil: row.rests_until,
    coolingDown: row.cooling ?? [],
  };
}

/** The health by channel id, of one channel if `id` is given. Archived channels have none. */
export async function readChannelHealth(
  pool: Reader,
  id: string | null = null,
): Promise<Map<string, ChannelHealth>> {
  const { rows } = await pool.query<Row>(query, [id]);
  return new Map(rows.map((row) => [row.id, healthOf(row)]));
}
