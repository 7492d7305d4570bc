/**
 * Starts one real PostgreSQL for a test run and prepares the migrated database that each test file
 * copies, and a folder for files that several of them copy.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "../../lib/db/embedded";
import { applyMigrations } from "../../lib/db/migrate";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL for the product's role. */
    templateDatabaseUrl: string;
    templateOwnerUrl: string;
    /** For files that several tests copy. Removed when the run is over. */
    runFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "relay-test-"));
  const postgres = await startEmbeddedPostgres(folder);
  await applyMigrations(postgres.ownerUrl, join(import.meta.dirname, "../../prisma/migrations"), {
    applicationRole: APPLICATION_ROLE,
  });
  project.provide("templateDatabaseUrl", postgres.url);
  project.provide("templateOwnerUrl", postgres.ownerUrl);
  const runFolder = join(folder, "prepared");
  mkdirSync(runFolder);
  project.provide("runFolder", runFolder);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
