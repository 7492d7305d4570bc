/**
 * Runs before every test file. Files share worker processes, since loading the modules anew for each
 * takes longer than its tests; this gives a file what it would find in a new process.
 */
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { dropTestDatabases } from "../db/test-database";
import { removeBundles } from "../stage/bundle";
import { removeFolders } from "./new-folder";
import { recentLines } from "./recent-lines";

const first = Symbol.for("relay.tests.first-environment");
const holder = globalThis as Record<symbol, unknown>;

holder[first] ??= { ...process.env };
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, holder[first]);

for (const name of ["relay.composition", "relay.pages-deps"]) delete holder[Symbol.for(name)];
globalThis.relayCatalogue = undefined;
globalThis.relayBrandNames = undefined;

vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();

beforeEach(() => {
  recentLines.length = 0;
});
afterEach(({ task }) => {
  if (task.result?.state === "fail" && recentLines.length > 0)
    process.stderr.write(`Said during "${task.name}":\n  ${recentLines.join("\n  ")}\n`);
});

// Run after the file's own hooks.
afterAll(removeFolders);
afterAll(dropTestDatabases);
afterAll(removeBundles);
