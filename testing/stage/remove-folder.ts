/** Removes a folder in which something may still run. */
import { existsSync, rmSync } from "node:fs";

const TRIES = 100;
const PAUSE_MS = 20;

/** Files that are added meanwhile are removed too: it ends when nothing is left, or fails after seconds. */
export function removeFolder(folder: string): void {
  for (let tries = 1; existsSync(folder); tries++) {
    try {
      rmSync(folder, { recursive: true });
    } catch (error) {
      if (tries === TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
