import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { dumpRows } from "./dump-values";
import { BATCH_ROWS, type Source, type SourceRow, type SourceTable, tables } from "./source";

/** `max_allowed_packet` of a server is at most this, and an INSERT is on one line. */
const LINE_CHARACTERS_MAX = 268_435_456;

async function* linesOf(file: string): AsyncGenerator<string> {
  const raw = createReadStream(file, { highWaterMark: 1 << 20 });
  const stream = file.endsWith(".gz") ? raw.pipe(createGunzip()) : raw;
  stream.setEncoding("utf8");
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const piece = String(chunk);
    let from = 0;
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", from)) {
      yield parts.join("") + piece.slice(from, at);
      [parts, length, from] = [[], 0, at + 1];
    }
    parts.push(piece.slice(from));
    length += piece.length - from;
    if (length > LINE_CHARACTERS_MAX)
      throw new Error(`A line of the dump has more than ${LINE_CHARACTERS_MAX} characters.`);
  }
  yield parts.join("");
}

const createLine = /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?([a-z_]+)[`"]? \(/i;
const columnLine = /^\s+[`"]([^`"]+)[`"] /;
const insertLine = /^INSERT (?:IGNORE )?INTO [`"]?([a-z_]+)[`"]?\s*(?:(\([^()]*\))\s*)?VALUES\s*/i;

const namesIn = (list: string) => list.replace(/[()`"\s]/g, "").split(",");

/** The rows of one table with the names of its columns, as the dump has them. */
async function* recordsOf(file: string, table: SourceTable): AsyncGenerator<SourceRow> {
  let declared: string[] = [];
  let isDeclaring = false;
  /** Of the INSERT that goes on over the next line. */
  let names: string[] | null = null;
  for await (const line of linesOf(file)) {
    const column = isDeclaring ? columnLine.exec(line) : null;
    if (column?.[1] !== undefined) declared.push(column[1]);
    else isDeclaring = false;
    const created = createLine.exec(line);
    if (created?.[1] === table) [declared, isDeclaring] = [[], true];
    const insert: RegExpExecArray | null =
      names === null ? insertLine.exec(line.slice(0, 4000)) : null;
    if (insert !== null)
      names = insert[1] !== table ? null : insert[2] ? namesIn(insert[2]) : declared;
    if (names === null) continue;
    for (const values of dumpRows(line, insert?.[0].length ?? 0)) {
      if (values.length !== names.length)
        throw new Error(`The dump has ${values.length} values for ${names.length} of ${table}.`);
      const wanted: readonly string[] = tables[table];
      yield Object.fromEntries(
        names.flatMap((name, at) => (wanted.includes(name) ? [[name, values[at]]] : [])),
      );
    }
    if (line.trimEnd().endsWith(";")) names = null;
  }
}

async function hasTable(file: string, table: SourceTable): Promise<boolean> {
  for await (const line of linesOf(file)) {
    if ((createLine.exec(line) ?? insertLine.exec(line.slice(0, 4000)))?.[1] === table) return true;
  }
  return false;
}

/** Reads a dump of MySQL or MariaDB, plain or as `.gz`, one pass for each table. */
export async function openDump(file: string): Promise<Source> {
  await (await open(file)).close();
  async function* rowsOf(table: SourceTable, after = -1n) {
    let last = -1n;
    let batch: SourceRow[] = [];
    for await (const row of recordsOf(file, table)) {
      if (table !== "options") {
        const id = BigInt(String(row.id));
        if (id <= last)
          throw new Error(
            `The rows of ${table} are not in the order of their ids: make the dump with --order-by-primary.`,
          );
        last = id;
        if (id <= after) continue;
      }
      batch.push(row);
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
  return { has: (table) => hasTable(file, table), rows: rowsOf, close: () => Promise.resolve() };
}
