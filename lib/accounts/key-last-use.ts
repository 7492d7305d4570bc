import type pg from "pg";

/**
 * Writes when keys were last used (key id → epoch milliseconds). Never moves a time back. Sends
 * ages instead of times, so that only the database's clock counts.
 */
export async function flushLastUses(
  pool: pg.Pool,
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  const now = Date.now();
  await pool.query({
    name: "key-last-use",
    text: `
      with used as (select * from unnest($1::text[], $2::float8[]) as u(id, age_ms)),
        locked as (select k.id from api_key k where k.id = any($1::text[]) order by k.id for no key update)
      update api_key k set last_used_at = greatest(coalesce(k.last_used_at, '-infinity'), now() - used.age_ms * interval '1 millisecond')
      from used join locked using (id) where k.id = used.id`,
    values: [[...uses.keys()], [...uses.values()].map((at) => Math.max(0, now - at))],
  });
}
