import pg from "pg";

/** A small pool for reads outside Prisma: gives up on connecting after 1 s and on a statement after 2 s, so that an outage is an answer. */
export function openPool(databaseUrl: string, connections = 4): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: 1000,
    query_timeout: 2500,
    statement_timeout: 2000,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => {});
  return pool;
}
