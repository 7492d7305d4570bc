/** The contents of a backup: every table of the product, in the order of their references. */
import type pg from "pg";
import { tableGrants } from "../db/grants";
import { isRecord } from "../values/records";

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

interface Row {
  readonly name: string;
  readonly columns: string[];
  readonly needs: string[];
}

const query = `
select c.relname as name,
  (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  coalesce((select array_agg(distinct r.relname::text) from pg_constraint k join pg_class r on r.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '{}') as needs
from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname = any($1) and c.relname not in ('_prisma_migrations', 'function_set') order by c.relname`;

/** All tables, each with its partitions, in an order in which each can be filled after those it refers to. */
export async function tablesInOrder(client: pg.ClientBase): Promise<Table[]> {
  const left = (await client.query<Row>(query, [[...tableGrants.keys()]])).rows;
  const ordered: Row[] = [];
  while (left.length > 0) {
    const at = left.findIndex(({ needs }) =>
      needs.every((name) => ordered.some((table) => table.name === name)),
    );
    if (at === -1)
      throw new Error(`tables refer to each other: ${left.map(({ name }) => name).join(", ")}`);
    ordered.push(...left.splice(at, 1));
  }
  return ordered;
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** `table (columns)`, as COPY expects it. */
export const copyTarget = ({ name, columns }: Table) =>
  `${quoted(name)} (${columns.map(quoted).join(", ")})`;

/** The first line of a backup. */
export interface BackupHead {
  readonly format: "relay-backup-1";
  readonly createdAt: string;
  readonly migrations: readonly string[];
}

export const isHead = (line: unknown): line is BackupHead =>
  isRecord(line) && line.format === "relay-backup-1";
export const isTable = (line: unknown): line is Table =>
  isRecord(line) && typeof line.name === "string" && Array.isArray(line.columns);

/**
 * The rows of a table follow its head, in COPY's format, up to this line, which no row can equal.
 */
export const END_OF_ROWS = "\\.";

/** The last line. A backup without it is incomplete. */
export interface BackupEnd {
  readonly end: true;
  readonly rows: number;
  /** The moment of the snapshot; in older backups that of the head. */
  readonly createdAt?: string;
}

export const isEnd = (line: unknown): line is BackupEnd => isRecord(line) && line.end === true;
