import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** The secret in `file`, made at random the first time: 64 hexadecimal characters, mode 0600. A reader never sees half of it. */
export function readOrMakeSecret(file: string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
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
