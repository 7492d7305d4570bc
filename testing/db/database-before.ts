import { join } from "node:path";
import { APPLICATION_ROLE } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { createTestDatabase, ownerUrlOf } from "./test-database";

const folder = join(import.meta.dirname, "../../prisma/migrations");

/**
 * A database as it was before the migration `name`, for the role that owns it. `migrate` applies
 * that migration or, with `all`, those after it too. It returns the names of the applied ones.
 */
export async function databaseBefore(
  name: string,
): Promise<{ url: string; migrate(which: "one" | "all"): Promise<string[]> }> {
  const url = ownerUrlOf(await createTestDatabase("template1"));
  const apply = (isWanted: (each: string) => boolean) =>
    applyMigrations(url, folder, { applicationRole: APPLICATION_ROLE, isWanted });
  await apply((each) => each < name);
  return { url, migrate: (which) => apply((each) => which === "all" || each <= name) };
}
