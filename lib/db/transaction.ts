import type pg from "pg";
import { isRelayError } from "../errors";
import type { Database, Transaction } from "./client";
import { isStatementRefused } from "./database-errors";

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

/** The same on a connection of its own, which is closed where the work failed by anything but a refusal. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // The query under way rejects too; without a listener a lost connection would end the process.
  const ignore = () => {};
  client.on("error", ignore);
  let isGood = false;
  try {
    const done = await transact(client, () => work(client));
    isGood = true;
    return done;
  } catch (error) {
    isGood = isRelayError(error) || isStatementRefused(error);
    throw error;
  } finally {
    if (isGood) client.off("error", ignore);
    client.release(!isGood);
  }
}

/** Accounts made at once from one address wait for each other's count, and changes for each other's row in the log of actions. */
const PATIENCE = { maxWait: 10_000, timeout: 15_000 };

/** Runs `work` in one transaction of Prisma's: committed when it resolves, rolled back when it rejects. Rejects as `work` does. */
export function inDatabaseTransaction<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.$transaction(work, PATIENCE);
}
