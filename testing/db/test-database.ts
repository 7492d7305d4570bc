import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/**
 * Creates a migrated, empty database on the test run's PostgreSQL. Returns its URL for the
 * product's role, which owns nothing.
 */
export async function createTestDatabase(): Promise<string> {
  const url = new URL(inject("templateDatabaseUrl"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = new URL(inject("templateOwnerUrl"));
  admin.pathname = "/postgres";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    await client.query(`create database ${name} template relay`);
    await client.query(`revoke temporary on database ${name} from public`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
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
