/**
 * A change that a session asked for is committed only while that session lives. The session reaches
 * `recordAction`, which every change calls, through the asynchronous context.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Transaction } from "../db/client";
import { isInTheWay } from "../db/database-errors";
import { RelayError } from "../failures/relay-error";

interface ActingSession {
  readonly userId: string;
  readonly sessionVersion: number;
}

const current = new AsyncLocalStorage<ActingSession>();

/** Runs `work`, whose changes need this session to the end. */
export const actingIn = <T>(
  { userId, sessionVersion }: ActingSession,
  work: () => Promise<T>,
): Promise<T> => current.run({ userId, sessionVersion }, work);

/**
 * Waits for whoever ends the sessions of the user, but not so long that both wait for each other. A
 * row that this transaction changed itself is its own end of the sessions.
 */
const stillActs = `
with patience as (select set_config('lock_timeout', '500ms', true))
select session_version = $2 or xmin = pg_current_xact_id()::xid as "isSame" from patience, "user" where id = $1 for share of "user"`;

interface Row {
  readonly isSame: boolean;
}

async function read(
  transaction: Transaction | pg.ClientBase,
  { userId, sessionVersion }: ActingSession,
): Promise<Row | undefined> {
  if ("escapeLiteral" in transaction)
    return (await transaction.query<Row>(stillActs, [userId, sessionVersion])).rows[0];
  return (await transaction.$queryRawUnsafe<Row[]>(stillActs, userId, sessionVersion))[0];
}

/**
 * Called in the transaction of a change. Throws `sign_in_required` when the session that asked has
 * ended, and `service_busy` while that is being decided.
 */
export async function assertStillActing(transaction: Transaction | pg.ClientBase): Promise<void> {
  const session = current.getStore();
  if (session === undefined) return;
  const row = await read(transaction, session).catch((error: unknown) => {
    throw isInTheWay(error) ? new RelayError("service_busy", { retryAfterSeconds: 1 }) : error;
  });
  // No row: the user was erased by this change.
  if (row?.isSame === false) throw new RelayError("sign_in_required");
  const unset = "set local lock_timeout to default";
  if ("escapeLiteral" in transaction) await transaction.query(unset);
  else await transaction.$executeRawUnsafe(unset);
}
