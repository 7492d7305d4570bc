/** Restores a backup into a database that has no accounts: completely, or not at all. */
import { createReadStream } from "node:fs";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { isOperationId, timeOfOperation } from "../crypto/ids";
import { isBeforeBaseline, RELEASE_BEFORE } from "../db/baseline";
import { readFunctions } from "../db/function-files";
import { tableGrants } from "../db/grants";
import { applyMigrations, migrationNames } from "../db/migrate";
import type { OpenDatabase } from "../db/open";
import { giveMonthsPartitions } from "../db/own-partitions";
import { PrimaryClient } from "../db/primary-client";
import { retiredFunctions } from "../db/retired-functions";
import { strangeObjects } from "../db/strange";
import { packedLines } from "../json/packed-lines";
import {
  type BackupEnd,
  copyTarget,
  END_OF_ROWS,
  isEnd,
  isHead,
  isTable,
  quoted,
  type Table,
  tablesInOrder,
} from "./tables";

const PIECE_CHARACTERS = 64 * 1024;

function parseLine<T>(line: string | undefined, holds: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(line ?? "");
    if (holds(value)) return value;
  } catch {}
  throw new Error("the file is not a complete backup of this product");
}

async function nextLine(lines: AsyncGenerator<string>): Promise<string | undefined> {
  const { done, value } = await lines.next();
  return done ? undefined : value;
}

/** Fills a table with its rows, of which the first was read already; returns how many. */
async function readTable(
  client: pg.Client,
  lines: AsyncGenerator<string>,
  table: Table,
  first: string | undefined,
): Promise<number> {
  const copy = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
  const ended = new Promise<void>((resolve, reject) =>
    copy.on("finish", resolve).on("error", reject),
  );
  ended.catch(() => {});
  let rows = 0;
  let piece = "";
  const send = async () => {
    const isFull = !copy.write(piece);
    piece = "";
    if (isFull) await Promise.race([new Promise((resolve) => copy.once("drain", resolve)), ended]);
  };
  for (let line = first; line !== END_OF_ROWS; line = await nextLine(lines)) {
    if (line === undefined) {
      copy.destroy(new Error("the backup is incomplete"));
      throw new Error("the backup is incomplete");
    }
    rows++;
    piece += `${line}\n`;
    if (piece.length > PIECE_CHARACTERS) await send();
  }
  await send();
  copy.end();
  await ended;
  return rows;
}

const identities = `
select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null`;

/** Sets the sequences so that new rows get numbers after the restored ones. */
async function raiseSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    identities,
    [[...tableGrants.keys()]],
  );
  for (const { table, column, sequence } of rows) {
    await client.query(
      `select setval($1, (select coalesce(max(${quoted(column)}), 0) + 1 from ${quoted(table)}), false)`,
      [sequence],
    );
  }
}

/** Older months share the first partition. */
const MONTHS_MOST = 120;

/** Before requests are restored: the months from that of the first row on get partitions of their own. */
async function makePartitions(client: pg.Client, id: string): Promise<void> {
  const time = isOperationId(id) ? timeOfOperation(id) : Number.NaN;
  const now = new Date();
  const earliest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_MOST);
  if (!(time >= earliest && time <= now.getTime())) return;
  await giveMonthsPartitions(client, time);
}

/** Afterwards: dropped months get none, so that their ids are still refused. */
async function removePartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(p.name) as name from ledger_archive_drop d
       join ledger_partitions() p on p.name = 'request' || to_char(d.month, '_YYYY_MM')`,
  );
  for (const { name } of rows) await client.query(`drop table public.${name}`);
}

/** Rows are restored as they were. No trigger is there yet: the rows they once wrote are in the backup. */
async function fill(client: pg.Client, lines: AsyncGenerator<string>): Promise<BackupEnd> {
  await client.query("begin");
  const known = await tablesInOrder(client);
  // Migrations insert rows into a fresh database; the backup replaces them.
  for (const { name } of [...known].reverse()) await client.query(`delete from ${quoted(name)}`);
  let rows = 0;
  let hasPartitions = false;
  let end: BackupEnd;
  for (;;) {
    const line = await nextLine(lines);
    if (line?.startsWith('{"end"')) {
      end = parseLine(line, isEnd);
      if (end.rows !== rows)
        throw new Error(`the backup has ${rows} rows and should have ${end.rows}`);
      break;
    }
    const table = parseLine(line, isTable);
    if (!known.some(({ name }) => name === table.name))
      throw new Error(`the backup contains the unknown table ${table.name}`);
    const first = await nextLine(lines);
    if (table.name === "request" && first !== END_OF_ROWS && !hasPartitions) {
      await makePartitions(client, first?.split("\t")[table.columns.indexOf("id")] ?? "");
      hasPartitions = true;
    }
    rows += await readTable(client, lines, table, first);
  }
  await raiseSequences(client);
  await removePartitions(client);
  // The processes of the original do not use this database, so their leases have expired.
  await client.query("update node set lease_until = '-infinity'");
  await client.query("commit");
  return end;
}

/** Throws unless the database has no account. Removes what a first start created. */
async function clear(client: pg.Client, projectFolder: string): Promise<void> {
  const { rows } = await client.query<{ table: string | null }>(
    "select to_regclass('public.account')::text as table",
  );
  if (rows[0]?.table) {
    const accounts = await client.query("select from account limit 1");
    if (accounts.rowCount !== 0)
      throw new Error("the database has accounts: restore into an empty one");
  }
  const ours = readFunctions(projectFolder).map(({ name }) => name);
  const others = await strangeObjects(client, ours.concat(retiredFunctions));
  if (others.length > 0)
    throw new Error(
      `the database has what is not the product's: ${others.join(", ")}: restore into an empty one`,
    );
  await client.query("drop schema public cascade");
  await client.query("create schema public");
}

export interface RestoreReport {
  readonly rows: number;
  readonly createdAt: string;
  /** Nodes that had open holds when the backup was taken. */
  readonly nodes: readonly string[];
}

/**
 * Restores `file`, as the owner of the database, and migrates it to this version. On failure
 * rejects with a one-line error and leaves no accounts behind.
 */
export async function restoreBackup(
  { ownerUrl: databaseUrl, applicationRole }: Pick<OpenDatabase, "ownerUrl" | "applicationRole">,
  file: string,
  projectFolder: string,
): Promise<RestoreReport> {
  const lines = packedLines(createReadStream(file));
  const head = parseLine(await nextLine(lines), isHead);
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    application_name: "relay-restore",
  });
  client.on("error", () => {});
  try {
    if (isBeforeBaseline(head.migrations))
      throw new Error(
        `the backup is of release ${RELEASE_BEFORE} or an earlier one: restore it with release ${RELEASE_BEFORE}, then start this one`,
      );
    const known = migrationNames(projectFolder);
    const missing = head.migrations.filter((name) => !known.includes(name));
    if (missing.length > 0)
      throw new Error(`the backup was made by a newer version: ${missing.join(", ")} is unknown`);
    await client.connect();
    await clear(client, projectFolder);
    await applyMigrations(databaseUrl, projectFolder, { rowsOf: head.migrations });
    const { rows, createdAt = head.createdAt } = await fill(client, lines);
    await applyMigrations(databaseUrl, projectFolder, { applicationRole });
    const { rows: nodes } = await client.query<{ id: string }>("select id from node order by id");
    return { rows, createdAt, nodes: nodes.map(({ id }) => id) };
  } finally {
    await lines.return(undefined).catch(() => {});
    await client.end().catch(() => {});
  }
}
