import type pg from "pg";

/** Runs `work` in a transaction on a connection of its own: committed when it resolves, rolled back when it rejects. Rejects as `work` does. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const done = await work(client);
    await client.query("commit");
    return done;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
