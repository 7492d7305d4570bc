/** The database: server, clock, role, migrations, functions, standbys, and what others made in it. */
import type pg from "pg";
import { readFunctions } from "../db/function-files";
import { migrationNames } from "../db/migrate";
import { onlyRow } from "../db/only-row";
import { openServer } from "../db/open";
import { PrimaryClient } from "../db/primary-client";
import { retiredFunctions } from "../db/retired-functions";
import { strangeObjects } from "../db/strange";
import type { Settings } from "../settings/settings";
import { bad, type Found, found, good, note } from "./check";

const CLOCK_SECONDS_MAX = 2;

interface ServerRow {
  readonly version: string;
  readonly now: Date;
  readonly pid: number;
  readonly owns: boolean | null;
  readonly migrations: string[];
  readonly standbys: number;
  readonly synchronous: string;
  readonly connectionsMax: string;
}

const query = `
select current_setting('server_version') as version, clock_timestamp() as now, pg_backend_pid() as pid,
  (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.wallet')) as owns,
  (select count(*)::int from pg_stat_replication) as standbys,
  current_setting('synchronous_standby_names') as synchronous, current_setting('max_connections') as "connectionsMax"`;

async function migrationsOf(client: pg.ClientBase): Promise<string[] | null> {
  const { rows } = await client.query<{ has: boolean }>(
    "select to_regclass('public._prisma_migrations') is not null as has",
  );
  if (!onlyRow({ rows }).has) return null;
  const applied = await client.query<{ name: string }>(
    "select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  return applied.rows.map(({ name }) => name);
}

function migrationsFound(applied: readonly string[] | null, known: readonly string[]): Found {
  if (applied === null) return note("migrations", "none is applied yet: the first start does it");
  const lacks = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return note(
      "migrations",
      `a newer release was here: ${unknown.length} are unknown to this one`,
    );
  return lacks.length > 0
    ? bad("migrations", `${lacks.length} are missing: run \`relay database migrate\``)
    : good("migrations", "all are applied");
}

async function askServer(
  client: PrimaryClient,
  askedAt: number,
  projectFolder: string,
): Promise<Found[]> {
  const row = onlyRow(await client.query<ServerRow>(query));
  const answered = Date.now();
  const apart = Math.max(row.now.getTime() - answered, askedAt - row.now.getTime()) / 1000;
  const standbys =
    row.standbys === 0
      ? note(
          "standby",
          "none is connected: after a loss of this server the last backup is what is left",
        )
      : row.synchronous === ""
        ? note(
            "standby",
            `${row.standbys}, none synchronous: a change of the primary may lose the last commits`,
          )
        : good("standby", `${row.standbys}, synchronous: ${row.synchronous}`);
  const names = readFunctions(projectFolder).map(({ name }) => name);
  const others = await strangeObjects(client, names.concat(retiredFunctions));
  const pooled = "processID" in client && client.processID !== row.pid;
  return [
    good(
      "database",
      `PostgreSQL ${row.version} takes writes; at most ${row.connectionsMax} connections`,
    ),
    apart > CLOCK_SECONDS_MAX
      ? bad("clock", `this machine's differs from the database's by ${apart.toFixed(1)} s`)
      : good("clock", "as the database's"),
    row.owns === true
      ? note("role", "DATABASE_URL's role owns the ledger's tables: see DATABASE_OWNER_URL")
      : good("role", "owns no table of the ledger"),
    migrationsFound(await migrationsOf(client), migrationNames(projectFolder)),
    standbys,
    pooled
      ? note("pooler", "one is in between, in session mode")
      : good("pooler", "none is in between"),
    others.length > 0
      ? note("strange", `others made in the schema public: ${others.join(", ")}`)
      : good("strange", "the schema public has only what is the product's"),
  ];
}

/** Starts an embedded server if there is none, as commands do. */
export const checkDatabase = async (
  settings: Settings,
  projectFolder: string,
): Promise<Found[]> => [
  ...(await found(
    "database",
    async () => {
      const server = await openServer(settings);
      const client = new PrimaryClient({
        connectionString: server.url,
        connectionTimeoutMillis: 5000,
      });
      try {
        await client.connect();
        return await askServer(client, Date.now(), projectFolder);
      } finally {
        await client.end().catch(() => {});
        await server.close();
      }
    },
    60_000,
  )),
];
