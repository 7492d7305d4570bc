/** Creates a backup: the whole database as it is at one moment, taken while it is in use. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { keepMonths } from "../db/kept-months";
import { onlyRow } from "../db/only-row";
import { PrimaryClient } from "../db/primary-client";
import { openRest } from "./rest-file";
import { isInPieces, type Pieces, readPieces, restOf, sourcesOf } from "./sealed-rows";
import { type BackupEnd, type BackupHead, END_OF_ROWS, type Table, tablesInOrder } from "./tables";

export interface BackupReport {
  readonly rows: number;
  readonly tables: number;
  readonly bytes: number;
  /** How long one snapshot was held for what may change. */
  readonly snapshotSeconds: number;
}

type Write = (text: string | Buffer) => Promise<void>;

/** Writes the rows of a query, or of a table; returns how many. */
async function writeRows(client: pg.Client, write: Write, from: string): Promise<number> {
  const copy = client.query(copyTo(`copy ${from} to stdout`));
  const parts: AsyncIterable<Buffer> = copy;
  for await (const part of parts) await write(part);
  return copy.rowCount ?? 0;
}

async function writeTable(
  client: pg.Client,
  write: Write,
  table: Table,
  sources: readonly string[],
): Promise<number> {
  await write(`${JSON.stringify(table)}\n`);
  let rows = 0;
  for (const source of sources) rows += await writeRows(client, write, source);
  await write(`${END_OF_ROWS}\n`);
  return rows;
}

async function writeHead(client: pg.Client, write: Write): Promise<void> {
  const applied = await client.query<{ name: string; now: Date }>(
    "select migration_name as name, now() as now from _prisma_migrations where finished_at is not null and rolled_back_at is null order by 1",
  );
  const head: BackupHead = {
    format: "relay-backup-1",
    createdAt: (applied.rows[0]?.now ?? new Date()).toISOString(),
    migrations: applied.rows.map(({ name }) => name),
  };
  await write(`${JSON.stringify(head)}\n`);
}

/** Everything but the rows of sealed pieces, which are written already. */
async function writeRest(client: pg.Client, write: Write, pieces: Pieces): Promise<number> {
  let rows = 0;
  for (const table of await tablesInOrder(client))
    rows += await writeTable(client, write, table, [restOf(table, pieces)]);
  return rows;
}

/**
 * The rows of pieces never change, so each piece is read by itself. All the rest is of one snapshot.
 * It goes to a file as it is, and is packed when the snapshot is over.
 */
async function writeAll(
  client: pg.Client,
  write: Write,
  draft: string,
): Promise<Omit<BackupReport, "bytes">> {
  const tables = await tablesInOrder(client);
  await writeHead(client, write);
  const pieces = await readPieces(client);
  let rows = 0;
  for (const table of tables.filter(isInPieces))
    rows += await writeTable(client, write, table, sourcesOf(table, pieces));
  const rest = openRest(draft);
  try {
    const startedAt = performance.now();
    await client.query("begin isolation level repeatable read read only");
    const { now } = onlyRow(await client.query<{ now: Date }>("select now() as now"));
    rows += await writeRest(client, rest.write, pieces);
    await client.query("commit");
    const snapshotSeconds = (performance.now() - startedAt) / 1000;
    await rest.copyTo(write);
    const end: BackupEnd = { end: true, rows, createdAt: now.toISOString() };
    await write(`${JSON.stringify(end)}\n`);
    return { rows, tables: tables.length, snapshotSeconds };
  } finally {
    await rest.remove();
  }
}

/** Writes `file` completely or not at all, with mode 0600. An existing file is replaced. */
export async function createBackup(databaseUrl: string, file: string): Promise<BackupReport> {
  const draft = `${file}.part`;
  const packed = createGzip();
  const written = packed.pipe(createWriteStream(draft, { mode: 0o600, flush: true }));
  const whole = finished(written);
  whole.catch(() => {});
  const write: Write = async (text) => {
    if (!packed.write(text)) await Promise.race([once(packed, "drain"), whole]);
  };
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    application_name: "relay-backup",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await keepMonths(client);
    const report = await writeAll(client, write, `${draft}.rest`);
    packed.end();
    await whole;
    await rename(draft, file);
    return { ...report, bytes: (await stat(file)).size };
  } catch (error) {
    packed.destroy();
    await rm(draft, { force: true });
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
