import pg from "pg";
import { CheckedClient } from "../../db/checked-client";
import { connectionsHere } from "../../db/pool";

/**
 * `patienceMs` is a client-side timeout: a server that no longer answers must not block a heartbeat
 * forever.
 */
export function openLedgerPool(
  databaseUrl: string,
  patienceMs: number,
  connections: number,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connectionsHere(connections),
    connectionTimeoutMillis: 2000,
    statement_timeout: 5000,
    query_timeout: patienceMs,
    keepAlive: true,
    lock_timeout: 2000,
    // A process that freezes within a transaction must not keep a wallet locked.
    idle_in_transaction_session_timeout: 10_000,
    application_name: "relay-ledger",
    Client: CheckedClient,
  });
  pool.on("error", () => {});
  return pool;
}
