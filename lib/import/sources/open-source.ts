import { open } from "node:fs/promises";
import { invalidValue } from "../../failures/relay-error";
import { openDump } from "./dump";
import { openPostgres } from "./postgres";
import type { Source } from "./source";

const SQLITE_MARK = "SQLite format 3\0";
/** The place in a SQLite file that says how it is written, and what says: by a log beside it. */
const WRITTEN_AT = 18;
const BY_LOG = "\x02";

const refused = (message: string) => invalidValue("database", message);

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file).catch(() => {
    throw refused(`database is ${file}: there is no such file, or it cannot be read.`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(WRITTEN_AT + 1), 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Opens the address of a PostgreSQL database, a SQLite file or a dump of MySQL. Throws
 * `invalid_value` for anything else.
 */
export async function openSource(place: string): Promise<Source> {
  if (/^postgres(ql)?:\/\//.test(place)) return openPostgres(place);
  if (/^mysql:\/\//.test(place))
    throw refused(
      "database is a MySQL server: make a dump with mysqldump --single-transaction, and name its file.",
    );
  const file = place.replace(/^(sqlite|file):(\/\/)?/, "");
  const bytes = await firstBytes(file);
  if (!bytes.startsWith(SQLITE_MARK)) return openDump(file);
  // Loaded only here: few commands read a SQLite file.
  if (bytes[WRITTEN_AT] !== BY_LOG) return (await import("./sqlite")).openSqlite(file);
  throw refused(
    `database is ${file}, which is written by a log beside it: copy it with sqlite3 ${file} "vacuum into 'copy.db'", and name the copy.`,
  );
}
