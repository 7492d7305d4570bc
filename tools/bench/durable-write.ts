/** What one durable write costs here: on the disk itself, and as a commit of PostgreSQL. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { medianOf } from "./load";

const ROUNDS = 200;
const PAGE = Buffer.alloc(8192, 1);
const PAGES = 128;

/** A page of 8 kB in a file that has its size already, as a log is written; the median, in milliseconds. */
export function measureDisk(parent: string): number {
  const folder = mkdtempSync(join(parent, "durable-write-"));
  const file = openSync(join(folder, "pages"), "w");
  try {
    for (let page = 0; page < PAGES; page++) writeSync(file, PAGE);
    fdatasyncSync(file);
    const times = Array.from({ length: ROUNDS }, (_, round) => {
      const startedAt = performance.now();
      writeSync(file, PAGE, 0, PAGE.length, (round % PAGES) * PAGE.length);
      fdatasyncSync(file);
      return performance.now() - startedAt;
    });
    return medianOf(times);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A transaction of one small record, with its way to PostgreSQL and back; the median, in milliseconds. */
export async function measureCommit(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      await client.query("select pg_logical_emit_message(true, 'bench', 'one')");
      times.push(performance.now() - startedAt);
    }
    return medianOf(times);
  } finally {
    await client.end();
  }
}
