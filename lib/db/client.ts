import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/client";

export type Database = PrismaClient;

/** A Prisma client over its own pool of at most `connections`. The ledger's writer does not use it. */
export function connectDatabase(databaseUrl: string, connections = 10): Database {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: connections }) });
}
