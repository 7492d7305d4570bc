/** Databases of release 0.1.0 for tests. */
import { join } from "node:path";
import pg from "pg";
import { APPLICATION_ROLE } from "@/lib/db/embedded";
import { applyMigrations, type MigrationOptions } from "@/lib/db/migrate";
import { loadReleaseBefore } from "@/testing/db/release-before-dump";
import { createTestDatabase, ownerUrlOf } from "./test-database";

export interface ReleaseBefore {
  /** For the product's role. */
  readonly url: string;
  readonly ownerUrl: string;
  /** Brings it to this release; returns the names of the migrations that it then has. */
  upgrade(options?: MigrationOptions): Promise<string[]>;
}

export async function openReleaseBefore(): Promise<ReleaseBefore> {
  const url = await createTestDatabase("template1");
  const ownerUrl = ownerUrlOf(url);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await loadReleaseBefore(owner);
  await owner.end();
  const upgrade = (options: MigrationOptions = {}) =>
    applyMigrations(ownerUrl, join(import.meta.dirname, "../.."), {
      applicationRole: APPLICATION_ROLE,
      ...options,
    });
  return { url, ownerUrl, upgrade };
}
