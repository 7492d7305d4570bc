/**
 * Applies `prisma/migrations` to a database and records them in `_prisma_migrations`, as Prisma's
 * own command does, but without its engine, which would have to be downloaded.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { applyGrants } from "./grants";
import { transact } from "./transaction";

const LOCK_KEY = 7_275_613;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface MigrationOptions {
  /** The product's role; absent when the migrating role is also the product's. */
  readonly applicationRole?: string | undefined;
  readonly isWanted?: (name: string) => boolean;
}

export const migrationNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "migration.sql")))
    .sort();

const readMigrations = (folder: string): Migration[] =>
  migrationNames(folder).map((name) => {
    const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });

/**
 * The migrations that are not applied yet. Throws when one was changed after it had been applied.
 */
async function missingMigrations(client: pg.Client, folder: string): Promise<Migration[]> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    "select to_regclass('public._prisma_migrations')::text as name",
  );
  const { rows } = tables[0]?.name
    ? await client.query<{ migration_name: string; checksum: string }>(
        "select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
      )
    : { rows: [] };
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  return readMigrations(folder).filter(({ name, checksum }) => {
    const known = applied.get(name);
    if (known !== undefined && known !== checksum)
      throw new Error(`The migration ${name} was changed after it had been applied.`);
    return known === undefined;
  });
}

/**
 * Applies the wanted migrations that are missing, each in a transaction, and one process at a time.
 * Returns the names of those applied. Then sets the rights of the product's role. A role that owns
 * nothing may call it: it is refused only when a migration is missing.
 */
export async function applyMigrations(
  databaseUrl: string,
  folder: string,
  { applicationRole, isWanted = () => true }: MigrationOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The running query rejects as well; without a listener a lost connection would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    const { rows } = await client.query<{ isOwner: boolean; mayLook: boolean }>(
      `select has_schema_privilege('public', 'usage') as "mayLook", has_schema_privilege('public', 'create') and coalesce(
         (select pg_has_role(relowner, 'usage') from pg_class where relname = '_prisma_migrations' and relnamespace = 'public'::regnamespace), true) as "isOwner"`,
    );
    const all = rows[0]?.mayLook ? await missingMigrations(client, folder) : readMigrations(folder);
    const missing = all.filter(({ name }) => isWanted(name));
    if (!rows[0]?.isOwner) {
      if (missing.length === 0) return [];
      throw new Error(
        `The database lacks ${missing.length} migrations, and DATABASE_URL's role may not apply them: set DATABASE_OWNER_URL, or run \`relay database migrate\` with it.`,
      );
    }
    await client.query(`create table if not exists _prisma_migrations (
      id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
      logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    for (const migration of missing) await applyMigration(client, migration);
    await applyGrants(client, applicationRole ?? null);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The number of migrations that the database has. */
export async function countMigrations(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  return rows[0]?.count ?? 0;
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await transact(client, async () => {
      await client.query(migration.sql);
      await client.query(
        "insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) values ($1, $2, now(), $3, 1)",
        [randomUUID(), migration.checksum, migration.name],
      );
    });
  } catch (error) {
    throw new Error(
      `The migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}
