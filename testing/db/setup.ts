/**
 * Starts the PostgreSQL of a test run, and makes a folder for files that several test files copy.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startRunServer } from "./run-server";

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
  const server = await startRunServer();
  project.provide("templateDatabaseUrl", server.url);
  project.provide("templateOwnerUrl", server.ownerUrl);
  const runFolder = join(server.folder, "prepared");
  mkdirSync(runFolder);
  project.provide("runFolder", runFolder);
  return server.stop;
}
