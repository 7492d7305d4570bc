import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { CheckedClient } from "./checked-client";
import { type Prisma, PrismaClient } from "./generated/client";
import { connectionsHere } from "./pool";

export type Database = PrismaClient;

/** The client of a transaction. The type does not accept a database client in its place. */
export type Transaction = Prisma.TransactionClient & { readonly $connect?: never };

/** Longer than a transaction waits for a connection, and than it may take. */
const CONNECT_MS = 11_000;
const ANSWER_MS = 20_000;

/**
 * A Prisma client over its own pool of at most `connections`. The ledger's writer does not use it.
 */
export function connectDatabase(databaseUrl: string, connections = 10): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connectionsHere(connections),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    Client: CheckedClient,
  });
  // An idle connection that breaks is replaced at the next query.
  pool.on("error", () => {});
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
}
