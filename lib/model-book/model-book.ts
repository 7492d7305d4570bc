import type pg from "pg";
import { replaceCatalogue } from "../catalog/models";
import type { Changes } from "../db/changes";
import { oneReadAtATime } from "../db/one-read";
import { readCatalogue, readRevision } from "./read-models";

/**
 * Keeps this process's catalogue as the database has it: it is read again when a model changes, and
 * every 3 s if a change was missed. When a read fails, the last known catalogue stays. Rejects if
 * the first read fails.
 */
export async function createModelBook(options: {
  pool: pg.Pool;
  changes: Changes;
  onProblem?: (id: string, error: unknown) => void;
}): Promise<{ close(): void }> {
  const { pool, changes, onProblem } = options;
  let known = "";

  const reload = oneReadAtATime(async () => {
    const revision = await readRevision(pool);
    if (revision === known) return;
    const catalogue = await readCatalogue(pool, onProblem);
    // The rows may already be newer than the sum: then they are read once more.
    known = revision;
    replaceCatalogue(catalogue);
  });

  const end = changes.subscribe("model", () => void reload().catch(() => {}));
  await reload();
  return { close: end };
}
