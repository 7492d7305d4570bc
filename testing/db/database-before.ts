import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { APPLICATION_ROLE } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";

const folder = join(import.meta.dirname, "../../prisma/migrations");

/**
 * A database as it was before the migration `name`, for the role that owns it. `migrate` applies
 * that migration or, with `all`, those after it too. It returns the names of the applied ones.
 */
export async function databaseBefore(
  name: string,
): Promise<{ url: string; migrate(which: "one" | "all"): Promise<string[]> }> {
  const url = new URL(inject("templateOwnerUrl"));
  url.pathname = "/postgres";
  const admin = new pg.Client({ connectionString: url.href });
  const database = `test_${randomBytes(6).toString("hex")}_before`;
  await admin.connect();
  await admin.query(`create database ${database}`).finally(() => admin.end());
  url.pathname = `/${database}`;
  const apply = (isWanted: (each: string) => boolean) =>
    applyMigrations(url.href, folder, { applicationRole: APPLICATION_ROLE, isWanted });
  await apply((each) => each < name);
  return { url: url.href, migrate: (which) => apply((each) => which === "all" || each <= name) };
}
