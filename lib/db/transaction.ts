import type pg from "pg";

/** Runs `work` in a transaction on `client`: committed when it resolves, rolled back when it rejects. Rejects as `work` does. */
export async function transact<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  try {
    await client.query("begin");
    const done = await work();
    await client.query("commit");
    return done;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** The same on a connection of its own. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await transact(client, () => work(client));
  } finally {
    client.release();
  }
}
