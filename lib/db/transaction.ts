import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { isRelayError } from "../failures/relay-error";
import type { Database, Transaction } from "./client";
import { isStatementRefused } from "./database-errors";

/**
 * Sends `begin` or `commit`, and makes sure that the answer is to it. PostgreSQL answers `ROLLBACK` to
 * the commit of a transaction that had failed; anything else is the answer to another query.
 */
async function bound(client: pg.ClientBase, command: "begin" | "commit"): Promise<void> {
  const { command: answered } = await client.query(command);
  if (answered?.toLowerCase() !== command)
    throw new Error(`the database answered ${answered} to ${command}`);
}

/**
 * Runs `work` in a transaction on `client`: commits when it resolves, rolls back when it rejects.
 * Rejects as `work` does.
 */
export async function transact<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  try {
    await bound(client, "begin");
    const done = await work();
    await bound(client, "commit");
    return done;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * Runs `work` in a transaction on a connection of the pool. The connection is closed when the work
 * failed by anything but a refusal.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The running query rejects as well; without a listener a lost connection would end the process.
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

/**
 * Long enough for work that waits in line: accounts created at once from one address wait for each
 * other's count, and changes for each other's row in the audit log.
 */
const PATIENCE = { maxWait: 10_000, timeout: 15_000 };

const joined = new AsyncLocalStorage<Transaction>();

/**
 * Runs `work` in a Prisma transaction: commits when it resolves, rolls back when it rejects.
 * Rejects as `work` does.
 */
export function inDatabaseTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const outer = joined.getStore();
  return outer === undefined ? database.$transaction(work, PATIENCE) : work(outer);
}

/**
 * Runs `work`, whose Prisma transactions are one: of all that they change, everything is committed or
 * nothing. It must read through nothing but these transactions. Rejects as `work` does.
 */
export const inOneTransaction = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  database.$transaction((transaction) => joined.run(transaction, work), PATIENCE);
