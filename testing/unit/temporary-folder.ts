/** Where a run of tests writes what it needs only for itself. */
import { chmodSync, mkdtempSync, readdirSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "../../lib/process/process-alive";
import { removeFolder } from "../stage/remove-folder";

const MEMORY_FOLDER = "/dev/shm";
/** What a run may write, with as much left for its processes. */
const ROOM_BYTES = 4 * 1024 ** 3;
/** As of `/tmp`: some tests run the product as an ordinary user. */
const EVERYONES = 0o1777;

/** Of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY_FOLDER)) {
    const [, pid] = /^relay-tests-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) removeFolder(join(MEMORY_FOLDER, name));
  }
}

function hasRoom(): boolean {
  try {
    removeLeftovers();
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem() / 2) > ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * Makes the temporary folder of this process and its children one in memory where there is room: a
 * run writes gigabytes that nobody reads again, and deletes them slowly. Databases there do all
 * that they do on a disk. It is removed when the process ends that called first.
 */
export function workInMemory(): void {
  if (process.env.TEST_FOLDER !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY_FOLDER, `relay-tests-${process.pid}-`));
  chmodSync(folder, EVERYONES);
  process.env.TEST_FOLDER = folder;
  process.env.TMPDIR = folder;
  process.once("exit", () => removeFolder(folder));
}
