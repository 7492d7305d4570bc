import type { Reader } from "../db/pool";

const LATEST = 50;
/** What was made before has no end in the tables: it must not be looked through. */
const sinceDropped =
  "coalesce((select (max(month) + interval '1 month') at time zone 'UTC' from ledger_archive_drop), '-infinity')";

/**
 * The median duration in seconds of each model's latest results; a model without results is absent.
 */
export async function typicalSeconds(
  pool: Reader,
  models: readonly string[],
): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ model: string; seconds: number }>(
    `select a.model, percentile_cont(0.5) within group (order by l.seconds)::float8 as seconds from unnest($1::text[]) as a(model), lateral (
       (select extract(epoch from t.ended_at - t.created_at) as seconds from video_task t
         where t.model = a.model and t.status = 'succeeded' order by t.ended_at desc limit ${LATEST})
       union all
       (select extract(epoch from r.ended_at - t.created_at) from image_result t join request r on r.id = t.operation_id and r.outcome = 'settled'
         where t.model = a.model and t.media_id is not null
           and t.created_at >= ${sinceDropped} order by t.created_at desc limit ${LATEST})) l
     group by a.model`,
    [models],
  );
  return Object.fromEntries(
    rows.map(({ model, seconds }) => [model, Math.max(1, Math.round(seconds))]),
  );
}
