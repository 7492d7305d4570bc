/** Starts one real PostgreSQL for a test run and prepares the migrated database that each test file copies. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "./embedded";
import { applyMigrations } from "./migrate";

declare module "vitest" {
  export interface ProvidedContext {
    templateDatabaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "relay-test-"));
  const postgres = await startEmbeddedPostgres(folder);
  await applyMigrations(postgres.url, join(import.meta.dirname, "../../prisma/migrations"));
  project.provide("templateDatabaseUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
