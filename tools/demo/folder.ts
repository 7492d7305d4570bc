/**
 * The demo's own folder. The file `demo.json` in it says that it is the demo's; nothing is ever
 * written to, or removed from, a folder that has other files and not this one.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startEmbeddedPostgres } from "@/lib/db/embedded";
import { livePostmaster } from "@/lib/db/embedded/postmaster";

const facts = z.object({
  seed: z.string(),
  scale: z.number(),
  /** The last moment of the history. */
  end: z.iso.datetime(),
  /** Where the demo's channels and its card payments are answered. */
  upstreamPort: z.number().int(),
  paymentsPort: z.number().int(),
  /** False while the history is being written. */
  isComplete: z.boolean(),
});

export type DemoFacts = z.output<typeof facts>;

const factsFile = (folder: string) => join(folder, "demo.json");

/** Undefined for a folder that is missing or empty. Throws when it is not the demo's. */
export function readDemoFacts(folder: string): DemoFacts | undefined {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return undefined;
  const file = factsFile(folder);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(
      `${folder} is not a demo's folder: it has files, but no demo.json. Name another.`,
    );
  }
  const parsed = facts.safeParse(read);
  if (!parsed.success)
    throw new Error(`${file} is not of this version. Remove the folder, or name another.`);
  return parsed.data;
}

export function writeDemoFacts(folder: string, said: DemoFacts): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(factsFile(folder), `${JSON.stringify(said, null, 2)}\n`, { mode: 0o600 });
}

/** Whether another process uses the demo's database. Stops a database that no process uses. */
async function isInUse(folder: string): Promise<boolean> {
  const cluster = join(folder, "postgres", "cluster");
  if (!existsSync(cluster) || livePostmaster(cluster) === undefined) return false;
  const left = await startEmbeddedPostgres(folder);
  await left.stop();
  return livePostmaster(cluster) !== undefined;
}

/** Rejects while another process writes or serves the demo. */
export async function assertFree(folder: string): Promise<void> {
  if (await isInUse(folder)) throw new Error(`Another process uses the demo in ${folder}.`);
}

/** Removes a demo. Rejects when the folder is not a demo's, or while another process uses it. */
export async function removeDemo(folder: string): Promise<void> {
  if (readDemoFacts(folder) === undefined) return;
  await assertFree(folder);
  rmSync(folder, { recursive: true, force: true });
}
