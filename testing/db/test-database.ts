import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

const nameIn = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const admin = new URL(inject("templateOwnerUrl"));
  admin.pathname = "/postgres";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function copyOf(template: string, client: pg.Client): Promise<string> {
  const url = new URL(inject("templateDatabaseUrl"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  await client.query(`create database ${name} template ${template}`);
  await client.query(`revoke temporary on database ${name} from public`);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Creates a migrated, empty database on the test run's PostgreSQL. Returns its URL for the
 * product's role, which owns nothing.
 */
export const createTestDatabase = (): Promise<string> =>
  asAdmin((client) => copyOf("relay", client));

/**
 * A database of its own that was prepared once for the test run, by the first file that asked for
 * it: for what takes many seconds to make. `prepare` leaves no connection open.
 */
export const createPreparedDatabase = (
  name: string,
  prepare: (databaseUrl: string) => Promise<void>,
): Promise<string> =>
  asAdmin(async (client) => {
    const prepared = `prepared_${name}`;
    // Until the connection ends.
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [prepared]);
    const found = await client.query("select from pg_database where datname = $1", [prepared]);
    if (found.rowCount === 0) {
      const url = await copyOf("relay", client);
      await prepare(url);
      await client.query(`alter database ${nameIn(url)} rename to ${prepared}`);
    }
    return copyOf(prepared, client);
  });

/**
 * The same database for the role that owns it: for tests that prepare or damage what the product
 * cannot write.
 */
export function ownerUrlOf(databaseUrl: string): string {
  const url = new URL(inject("templateOwnerUrl"));
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}
