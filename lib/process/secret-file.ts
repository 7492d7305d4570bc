import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isProcessAlive } from "./process-alive";

/** 64 random hexadecimal characters. */
export const newSecret = (): string => randomBytes(32).toString("hex");

/**
 * The secret in `file`: 64 hexadecimal characters, mode 0600. Created at random the first time; a
 * reader never sees a part of it.
 */
export function readOrMakeSecret(file: string): string {
  removeAbandonedDrafts(file);
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, newSecret(), { mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  chmodSync(file, 0o600);
  return readFileSync(file, "utf8").trim();
}

/** Removes the draft of a process that was killed between writing and renaming it. */
function removeAbandonedDrafts(file: string): void {
  const start = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    const pid = name.startsWith(start) ? Number(name.slice(start.length)) : 0;
    if (pid > 0 && !isProcessAlive(pid)) rmSync(join(dirname(file), name), { force: true });
  }
}
