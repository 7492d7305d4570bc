import pg from "pg";
import { partOf } from "../process/worker-identity";
import { CheckedClient } from "./checked-client";

/** A pool of several connections never has less than these. */
const CONNECTIONS_LEAST = 2;

/**
 * This process's part of the connections that all workers of this machine may have together. A
 * single connection is not divided.
 */
export const connectionsHere = (connections: number): number =>
  connections === 1 ? 1 : partOf(connections, CONNECTIONS_LEAST);

const CONNECT_MS = 4000;
const STATEMENT_MS = 2000;
/** The database's answer that a statement took too long comes before the client gives up. */
const ANSWER_MS = 500;
/**
 * Idle connections are kept: on a busy machine a new connection costs more than the query it is
 * for.
 */
const IDLE_MS = 5 * 60_000;

/** What a read needs: a pool, or a part of one that it shares with others. */
export interface Reader {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

/**
 * A small pool for reads outside Prisma. It gives up on connecting after 4 s and on a statement
 * after 2 s, so that an outage becomes an error instead of a wait.
 */
export function openPool(
  databaseUrl: string,
  connections = 4,
  statementMs = STATEMENT_MS,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connectionsHere(connections),
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: statementMs + ANSWER_MS,
    statement_timeout: statementMs,
    keepAlive: true,
    Client: CheckedClient,
  });
  // An idle connection that breaks is replaced at the next query. Without a listener its error
  // would end the process.
  pool.on("error", () => {});
  return pool;
}
