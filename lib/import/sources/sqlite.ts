import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { BATCH_ROWS, type Source, type SourceRow, type SourceTable, tables } from "./source";

const quoted = (name: string) => `"${name}"`;

/**
 * Reads a SQLite file as it is on the disk. Nobody may write it meanwhile. The library locks a file by
 * a folder beside it, which a process that is killed leaves behind: so that is beside a link of ours.
 */
export function openSqlite(file: string): Source {
  const folder = mkdtempSync(join(tmpdir(), "relay-source-"));
  const link = join(folder, "source.db");
  symlinkSync(resolve(file), link);
  const database = new sqlite.Database(link, { fileMustExist: true, readOnly: true });

  function columnsOf(table: SourceTable): string[] {
    const there = new Set(
      database.all("select name from pragma_table_info(?)", [table]).map(({ name }) => name),
    );
    return tables[table].filter((name) => there.has(name));
  }

  async function* rowsOf(table: SourceTable, after = -1n): AsyncGenerator<SourceRow[]> {
    const columns = columnsOf(table).map(quoted).join(", ");
    if (table === "options") {
      yield database.all(`select ${columns} from options`);
      return;
    }
    const statement = database.prepare(
      `select ${columns} from ${table} where id > ? order by id limit ${BATCH_ROWS}`,
    );
    try {
      for (let last = after; ; ) {
        const rows = statement.all([last]);
        if (rows.length === 0) return;
        last = BigInt(String(rows.at(-1)?.id));
        yield rows;
      }
    } finally {
      statement.finalize();
    }
  }

  return {
    has: (table) => Promise.resolve(columnsOf(table).length > 0),
    rows: rowsOf,
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}
