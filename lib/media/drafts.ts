/** Files that are still being written. They begin with a dot and never bear a result's name. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const DRAFT_AGE_MS = 3_600_000;

/** Drafts of a process that was killed while it wrote. */
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

export const newDraft = (folder: string) => join(folder, `.draft-${randomBytes(8).toString("hex")}`);

/** Makes the folder when it is missing, mode 0700, and clears away what was left unfinished. */
export async function openDraftFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOldDrafts(folder);
}
