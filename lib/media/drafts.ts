/**
 * Files that are still being written. Their names begin with a dot, so they are never taken for
 * results.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const DRAFT_AGE_MS = 3_600_000;

/** Removes the drafts of a process that was killed while writing. */
async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(".draft-")) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > DRAFT_AGE_MS) await rm(path, { force: true });
  }
}

export const newDraft = (folder: string) =>
  join(folder, `.draft-${randomBytes(8).toString("hex")}`);

/** Creates the folder with mode 0700 if it is missing, and removes unfinished files. */
export async function openDraftFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOldDrafts(folder);
}
