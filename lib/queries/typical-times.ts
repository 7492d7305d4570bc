import type { Reader } from "../db/pool";

const LATEST = 50;
/** What was made before has no end in the tables: it must not be looked through. */
const sinceDropped =
  "coalesce((select (max(month) + interval '1 month') at time zone 'UTC' from ledger_archive_drop), '-infinity')";

/** Of a video, as it was served; else as it was ordered. */
const isFlex =
  "coalesce(t.facts ->> 'serviceTier', t.spec #>> '{settings,service_tier}', '') = 'flex'";

type Seconds = Readonly<Record<string, number>>;

/**
 * The median duration in seconds of each model's latest results, and of those among them that were
 * made later for less; a model without results is absent.
 */
export async function typicalSeconds(
  pool: Reader,
  models: readonly string[],
): Promise<{ seconds: Seconds; flexSeconds: Seconds }> {
  const { rows } = await pool.query<{ model: string; isFlex: boolean; seconds: number }>(
    `select a.model, l.is_flex as "isFlex", percentile_cont(0.5) within group (order by l.seconds)::float8 as seconds from unnest($1::text[]) as a(model), lateral (
       (select extract(epoch from t.ended_at - t.created_at) as seconds, ${isFlex} as is_flex from video_task t
         where t.model = a.model and t.status = 'succeeded' order by t.ended_at desc limit ${LATEST})
       union all
       (select extract(epoch from r.ended_at - t.created_at), false from image_result t join request r on r.id = t.operation_id and r.outcome = 'settled'
         where t.model = a.model and t.media_id is not null
           and t.created_at >= ${sinceDropped} order by t.created_at desc limit ${LATEST})) l
     group by a.model, l.is_flex`,
    [models],
  );
  const of = (flex: boolean) =>
    Object.fromEntries(
      rows.flatMap(({ model, isFlex: is, seconds }) =>
        is === flex ? [[model, Math.max(1, Math.round(seconds))]] : [],
      ),
    );
  return { seconds: of(false), flexSeconds: of(true) };
}
