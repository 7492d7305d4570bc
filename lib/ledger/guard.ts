import type pg from "pg";

/** Throws unless the server keeps what it has committed. */
export async function assertDurable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')",
  );
  for (const { name, setting } of rows) {
    const isSafe = setting === "on" || (name === "synchronous_commit" && setting === "remote_apply");
    if (!isSafe) throw new Error(`The database has ${name} = ${setting}; points need ${name} = on.`);
  }
}
