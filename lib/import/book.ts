/** What the database remembers of a source: which of its rows became which of ours. */
import type pg from "pg";
import { invalidValue } from "../failures/relay-error";

export const products = ["new-api", "one-api"] as const;
export type Product = (typeof products)[number];

/** A kind of rows that are remembered one by one. */
export type RowKind = "model" | "channel" | "group" | "user" | "subscription" | "key" | "voucher";

export interface SourceName {
  /** By which it is known here. */
  readonly name: string;
  readonly product: Product;
  readonly quotaPerPoint: bigint;
}

/** One import of a source runs at a time. */
export async function lockSource(client: pg.ClientBase, { name }: SourceName): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    "select pg_try_advisory_lock(hashtextextended($1, 7275622)) as free",
    [name],
  );
  if (rows[0]?.free) return;
  const message = `Another import of ${name} is running.`;
  throw invalidValue("name", message);
}

/** The last row of its log that was counted; null for a source that is new. Throws `invalid_value`. */
export async function findSource(
  client: pg.ClientBase,
  { name, product, quotaPerPoint }: SourceName,
): Promise<{ logsTo: bigint } | null> {
  const { rows } = await client.query<{ product: string; rate: string; logs_to: string }>(
    "select product, quota_per_point as rate, logs_to from import_source where name = $1",
    [name],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const isSame = row.product === product && BigInt(row.rate) === quotaPerPoint;
  if (isSame) return { logsTo: BigInt(row.logs_to) };
  throw invalidValue(
    "name",
    `${name} is a source of ${row.product} at ${row.rate} quota a point: use the same, or another --name.`,
  );
}

export async function openSourceBook(
  client: pg.ClientBase,
  { name, product, quotaPerPoint }: SourceName,
): Promise<void> {
  await client.query(
    "insert into import_source (name, product, quota_per_point) values ($1, $2, $3) on conflict do nothing",
    [name, product, quotaPerPoint],
  );
}

/** Ours by theirs, of all rows of a kind. */
export async function readMoved(
  client: pg.ClientBase,
  source: string,
  kind: RowKind,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ theirs: string; ours: string }>(
    "select foreign_id as theirs, target_id as ours from import_row where source = $1 and kind = $2",
    [source, kind],
  );
  return new Map(rows.map(({ theirs, ours }) => [theirs, ours]));
}

/** The balances of users, or what was left of subscriptions, as they were when they moved. */
export async function readMovedBalances(
  client: pg.ClientBase,
  source: string,
  kind: RowKind,
  ids: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await client.query<{ id: string; quota: string }>(
    "select foreign_id as id, coalesce(quota, 0) as quota from import_row where source = $1 and kind = $2 and foreign_id = any($3)",
    [source, kind, ids],
  );
  return new Map(rows.map(({ id, quota }) => [id, BigInt(quota)]));
}

interface MovedRow {
  readonly foreignId: string;
  readonly targetId: string;
  readonly quota?: bigint;
}

/** In the transaction in which the rows moved. */
export async function rememberMoved(
  client: pg.ClientBase,
  source: string,
  kind: RowKind,
  rows: readonly MovedRow[],
): Promise<void> {
  await client.query(
    `insert into import_row (source, kind, foreign_id, target_id, quota)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::bigint[])`,
    [
      source,
      kind,
      rows.map(({ foreignId }) => foreignId),
      rows.map(({ targetId }) => targetId),
      rows.map(({ quota }) => quota ?? null),
    ],
  );
}
