import { inject } from "vitest";
import {
  besideDatabases,
  copyDatabase,
  createDatabase,
  type DatabaseUrls,
  dropDatabase,
} from "./run-server";

const server = (): DatabaseUrls => ({
  url: inject("templateDatabaseUrl"),
  ownerUrl: inject("templateOwnerUrl"),
});

/** Of the file that runs. */
const made: string[] = [];

/**
 * Creates a migrated, empty database on the test run's PostgreSQL, or a copy of `template`. Returns
 * its URL for the product's role, which owns nothing. It is dropped at the end of the file.
 */
export async function createTestDatabase(template?: string): Promise<string> {
  const { url } = await createDatabase(server(), template);
  made.push(url);
  return url;
}

/** As `createTestDatabase`, for more than one file: it is there until the run is over. */
export const createLastingDatabase = async (): Promise<string> =>
  (await createDatabase(server())).url;

/**
 * A database of its own that was prepared once for the test run, by the first file that asked for
 * it: for what takes many seconds to make. `prepare` leaves no connection open.
 */
export const createPreparedDatabase = (
  name: string,
  prepare: (databaseUrl: string) => Promise<void>,
): Promise<string> =>
  besideDatabases(server(), async (client) => {
    const prepared = `prepared_${name}`;
    // Until the connection ends.
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [prepared]);
    const found = await client.query("select from pg_database where datname = $1", [prepared]);
    if (found.rowCount === 0) {
      const { url } = await copyDatabase(server(), client);
      await prepare(url);
      await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${prepared}`);
    }
    const { url } = await copyDatabase(server(), client, prepared);
    made.push(url);
    return url;
  });

/** Drops what the file that ends has created: hundreds of files would keep gigabytes. */
export async function dropTestDatabases(): Promise<void> {
  for (const url of made.splice(0)) await dropDatabase(server(), url);
}

/**
 * The same database for the role that owns it: for tests that prepare or damage what the product
 * cannot write.
 */
export function ownerUrlOf(databaseUrl: string): string {
  const url = new URL(inject("templateOwnerUrl"));
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}
