/**
 * Applies `prisma/migrations` to a database and records them in `_prisma_migrations`, as Prisma's
 * own command does, but without its engine, which would have to be downloaded. Then the functions.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { log } from "../process/log";
import { pause } from "../timing/pause";
import { applyFunctions, defineKnown, stateOfFunctions } from "./apply-functions";
import { assertUpgradable, isBeforeBaseline, isOfBaseline } from "./baseline";
import { isInTheWay } from "./database-errors";
import { type FunctionFile, readFunctions } from "./function-files";
import { applyGrants } from "./grants";
import { onlyRow } from "./only-row";
import { PrimaryClient } from "./primary-client";
import { readRelease } from "./release";
import { transact } from "./transaction";
import { upgrade } from "./upgrade/upgrade";

const LOCK_KEY = 7_275_613;
/** How long functions are tried while requests hold locks of their tables. */
const IN_THE_WAY_MS = 120_000;
const ASK_AGAIN_MS = 200;

const NEWER =
  "a newer release has changed this database: nothing was changed, its functions and rights stay";

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface MigrationOptions {
  /** The product's role; absent when the migrating role is also the product's. */
  readonly applicationRole?: string | undefined;
  /**
   * Makes ready for the rows of a backup with these migrations: no others are applied, and the
   * functions are there, but no trigger. Call it again without this, after the rows.
   */
  readonly rowsOf?: readonly string[];
  /** A person wants to go back to this release: replaces the functions of a newer one. */
  readonly isBack?: boolean | undefined;
  /** Called when a newer release was here, so that nothing was changed. */
  readonly onNewer?: (() => void) | undefined;
  /** Requests that the upgrade from the release before copies in a transaction. */
  readonly piece?: number | undefined;
}

const FOLDER = "prisma/migrations";

export const migrationNames = (projectFolder: string): string[] =>
  readdirSync(join(projectFolder, FOLDER))
    .filter((name) => existsSync(join(projectFolder, FOLDER, name, "migration.sql")))
    .sort();

const readMigrations = (projectFolder: string): Migration[] =>
  migrationNames(projectFolder).map((name) => {
    const sql = readFileSync(join(projectFolder, FOLDER, name, "migration.sql"), "utf8");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });

async function appliedMigrations(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    "select to_regclass('public._prisma_migrations')::text as name",
  );
  const { rows } = tables[0]?.name
    ? await client.query<{ migration_name: string; checksum: string }>(
        "select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
      )
    : { rows: [] };
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

/** What a database lacks of this release. */
interface Missing {
  readonly migrations: readonly Migration[];
  /** Whether other functions than this release's are to be replaced. */
  readonly functions: boolean;
  /** Whether a newer release was here: its functions and rights stay. */
  readonly isOld: boolean;
  /** Whether it is of the release before the first of these migrations. */
  readonly isBefore: boolean;
}

/** Throws when a migration was changed after it had been applied. */
async function findMissing(
  client: pg.Client,
  projectFolder: string,
  files: readonly FunctionFile[],
  isBack: boolean,
): Promise<Missing> {
  const known = readMigrations(projectFolder);
  const { rows } = await client.query<{ mayLook: boolean }>(
    `select has_schema_privilege('public', 'usage') as "mayLook"`,
  );
  const all = { migrations: known, functions: true, isOld: false, isBefore: false };
  if (!onlyRow({ rows }).mayLook) return all;
  const applied = await appliedMigrations(client);
  const names = [...applied.keys()];
  if (isBeforeBaseline(names)) {
    assertUpgradable(names);
    return { ...all, isBefore: true };
  }
  for (const { name, checksum } of known)
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(`The migration ${name} was changed after it had been applied.`);
  const isUnknown = names.some((name) => known.every((each) => each.name !== name));
  const state = await stateOfFunctions(client, files, readRelease(projectFolder));
  return {
    migrations: known.filter(({ name }) => !applied.has(name)),
    functions: state !== "same",
    isOld: isUnknown || (state === "old" && !isBack),
    isBefore: false,
  };
}

/** Until the connection ends. An upgrade of the ledger may hold it for long. */
async function lockMigrations(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isMine: boolean }>(
    `select pg_try_advisory_lock($1) as "isMine"`,
    [LOCK_KEY],
  );
  if (onlyRow({ rows }).isMine) return;
  log.info("waits for another process that migrates this database");
  await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
}

/** Functions, then rights, in one commit: a new function may be called by nobody else. */
async function applyRest(
  client: pg.Client,
  files: readonly FunctionFile[],
  { isOther, release }: { readonly isOther: boolean; readonly release: string },
  applicationRole: string | undefined,
): Promise<void> {
  for (const until = performance.now() + IN_THE_WAY_MS; ; await pause(ASK_AGAIN_MS)) {
    try {
      return await transact(client, async () => {
        if (isOther) await applyFunctions(client, files, release);
        await applyGrants(client, applicationRole ?? null, files);
      });
    } catch (error) {
      if (!isInTheWay(error) || performance.now() > until) throw error;
    }
  }
}

/**
 * Applies the migrations that are missing, each in a transaction, and one process at a time. Then
 * replaces the functions whose files changed, and sets the rights of the product's role. Returns the
 * names of the applied migrations. A role that owns nothing may call it: it is refused only when
 * something is missing.
 */
export async function applyMigrations(
  databaseUrl: string,
  projectFolder: string,
  { applicationRole, rowsOf, isBack = false, onNewer, piece }: MigrationOptions = {},
): Promise<string[]> {
  const client = new PrimaryClient({ connectionString: databaseUrl });
  // The running query rejects as well; without a listener a lost connection would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await lockMigrations(client);
    const files = readFunctions(projectFolder);
    const { rows } = await client.query<{ isOwner: boolean }>(
      `select has_schema_privilege('public', 'create') and coalesce(
         (select pg_has_role(relowner, 'usage') from pg_class where relname = '_prisma_migrations' and relnamespace = 'public'::regnamespace), true) as "isOwner"`,
    );
    const missing = await findMissing(client, projectFolder, files, isBack);
    if (missing.isOld) {
      if (missing.migrations.length > 0)
        throw new Error(
          `Another release has changed this database, which lacks ${missing.migrations.length} migrations of this one. Nothing was changed.`,
        );
      log.warn(NEWER);
      onNewer?.();
      return [];
    }
    if (!onlyRow({ rows }).isOwner) {
      if (missing.migrations.length === 0 && !missing.functions) return [];
      throw new Error(
        `The database lacks ${missing.migrations.length} migrations, or functions of this release, and DATABASE_URL's role may not apply them: set DATABASE_OWNER_URL, or run \`relay database migrate\` with it.`,
      );
    }
    await client.query(`create table if not exists _prisma_migrations (
      id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
      logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    const wanted = missing.migrations.filter(({ name }) => rowsOf?.includes(name) ?? true);
    if (missing.isBefore)
      await upgrade(client, projectFolder, { note: () => noteBaseline(client, wanted), piece });
    for (const migration of wanted)
      if (!missing.isBefore || !isOfBaseline(migration.name))
        await applyMigration(client, migration);
    if (rowsOf === undefined)
      await applyRest(
        client,
        files,
        { isOther: missing.functions, release: readRelease(projectFolder) },
        applicationRole,
      );
    else await transact(client, () => defineKnown(client, files));
    return wanted.map(({ name }) => name);
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

const note = (client: pg.Client, { name, checksum }: Migration) =>
  client.query(
    "insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) values ($1, $2, now(), $3, 1)",
    [randomUUID(), checksum, name],
  );

/** In place of the migrations of the release before. */
async function noteBaseline(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query("delete from _prisma_migrations");
  for (const migration of migrations.filter(({ name }) => isOfBaseline(name)))
    await note(client, migration);
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await transact(client, async () => {
      await client.query(migration.sql);
      await note(client, migration);
    });
  } catch (error) {
    throw new Error(
      `The migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}
