/** Creates a backup: a snapshot of the whole database, taken while it is in use. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import {
  type BackupEnd,
  type BackupHead,
  copyTarget,
  END_OF_ROWS,
  type Table,
  tablesInOrder,
} from "./tables";

export interface BackupReport {
  readonly rows: number;
  readonly tables: number;
  readonly bytes: number;
}

type Write = (text: string | Buffer) => Promise<void>;

async function writeTable(client: pg.Client, write: Write, table: Table): Promise<number> {
  await write(`${JSON.stringify(table)}\n`);
  const copy = client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
  const parts: AsyncIterable<Buffer> = copy;
  for await (const part of parts) await write(part);
  await write(`${END_OF_ROWS}\n`);
  return copy.rowCount ?? 0;
}

async function writeSnapshot(
  client: pg.Client,
  write: Write,
): Promise<Omit<BackupReport, "bytes">> {
  await client.query("begin isolation level repeatable read read only");
  const applied = await client.query<{ name: string; now: Date }>(
    "select migration_name as name, now() as now from _prisma_migrations where finished_at is not null and rolled_back_at is null order by 1",
  );
  const createdAt = (applied.rows[0]?.now ?? new Date()).toISOString();
  const head: BackupHead = {
    format: "relay-backup-1",
    createdAt,
    migrations: applied.rows.map(({ name }) => name),
  };
  await write(`${JSON.stringify(head)}\n`);
  const tables = await tablesInOrder(client);
  let rows = 0;
  for (const table of tables) rows += await writeTable(client, write, table);
  const end: BackupEnd = { end: true, rows };
  await write(`${JSON.stringify(end)}\n`);
  return { rows, tables: tables.length };
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
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "relay-backup" });
  client.on("error", () => {});
  try {
    await client.connect();
    const report = await writeSnapshot(client, write);
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
