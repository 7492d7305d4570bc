import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A new, migrated, empty database of its own on the test run's PostgreSQL; answers its URL as the role the product works as, which owns nothing. */
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

/** The same database as the role that owns it: for tests that prepare or break what the product itself cannot write. */
export function ownerUrlOf(databaseUrl: string): string {
  const url = new URL(inject("templateOwnerUrl"));
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}
