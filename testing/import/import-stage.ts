/** Sources of each kind, for an import into a database of a test. */
import { join } from "node:path";
import pg from "pg";
import type { Product } from "@/lib/import/book";
import { createTestDatabase, ownerUrlOf } from "../db/test-database";
import { type GeneratedSource, generateSource, type Size } from "./generated-source";
import { writeDump, writePostgres, writeSqlite } from "./write-source";

export type SourceKind = "postgres" | "sqlite" | "dump";

/** Writes a source of a kind; returns where it is. */
export async function writeSource(
  folder: string,
  product: Product,
  kind: SourceKind,
  size: Size,
): Promise<string> {
  return writeRows(join(folder, `${product}-${size.logs}`), kind, generateSource(product, size));
}

/** As `writeSource`, of given rows. */
export async function writeRows(
  name: string,
  kind: SourceKind,
  rows: GeneratedSource,
): Promise<string> {
  const file = `${name}.${kind}`;
  if (kind === "sqlite") writeSqlite(file, rows);
  if (kind === "dump") writeDump(file, rows);
  if (kind !== "postgres") return file;
  const url = await emptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await writePostgres(client, rows);
  await client.end();
  return url;
}

/** A database of the run's server without our tables. */
async function emptyDatabase(): Promise<string> {
  const url = ownerUrlOf(await createTestDatabase());
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  await client.end();
  return url;
}
