import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A new, migrated, empty database of its own on the test run's PostgreSQL; answers its URL. */
export async function createTestDatabase(): Promise<string> {
  const template = new URL(inject("templateDatabaseUrl"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = new URL(template);
  admin.pathname = "/postgres";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(`create database ${name} template relay`).finally(() => client.end());
  template.pathname = `/${name}`;
  return template.href;
}
