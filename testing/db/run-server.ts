/**
 * One PostgreSQL for a run of tests: its database `relay` is migrated once, and copied for each
 * test that needs a database of its own.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "../../lib/db/embedded";
import { applyMigrations } from "../../lib/db/migrate";
import { pause } from "../../lib/timing/pause";

/** A database, for the product's role and for the role that owns everything in it. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string;
}

export interface RunServer extends DatabaseUrls {
  /** A folder that is removed when the server stops. */
  readonly folder: string;
  stop(): Promise<void>;
}

const nameIn = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

function inDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements beside the databases, as the role that may create and drop them. */
export async function besideDatabases<T>(
  { ownerUrl }: Pick<DatabaseUrls, "ownerUrl">,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: inDatabase(ownerUrl, "postgres") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Copies the database `template`, which nobody uses meanwhile: its files, since a copy through the
 * log takes PostgreSQL three times as long, and its removal too.
 */
export async function copyDatabase(
  server: DatabaseUrls,
  client: pg.Client,
  template = "relay",
): Promise<DatabaseUrls> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  await client.query(`revoke temporary on database ${name} from public`);
  return { url: inDatabase(server.url, name), ownerUrl: inDatabase(server.ownerUrl, name) };
}

/** A new database of the run's server, with all migrations. */
export const createDatabase = (server: DatabaseUrls, template?: string): Promise<DatabaseUrls> =>
  besideDatabases(server, (client) => copyDatabase(server, client, template));

/** How long connections that were closed may take to leave a database. */
const LEAVING_MS = 300;

/** Drops a database, and ends the connections that are left to it. */
export const dropDatabase = (server: DatabaseUrls, databaseUrl: string): Promise<void> =>
  besideDatabases(server, async (client) => {
    const name = nameIn(databaseUrl);
    // Ended by the server, a connection that was just closed would end the process of its test.
    for (const until = performance.now() + LEAVING_MS; performance.now() < until; await pause(20)) {
      const left = await client.query("select from pg_stat_activity where datname = $1", [name]);
      if (left.rowCount === 0) break;
    }
    await client.query(`drop database if exists ${name} with (force)`);
  });

/** By the server's port, not by its socket: a proxy can stand before it, and a container reaches it. */
export function overTcp(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  return url.href;
}

/**
 * Makes cheap what each of a run's thousands of connections does: a password is checked in one round of its hash, and
 * a copy has what the first connection to a database finds out about its catalogues.
 */
async function makeReady(server: DatabaseUrls): Promise<void> {
  await besideDatabases(server, async (client) => {
    await client.query("set scram_iterations = 1");
    for (const { username, password } of [new URL(server.url), new URL(server.ownerUrl)])
      await client.query(`alter role ${username} password '${password}'`);
  });
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  await client.end();
}

export async function startRunServer(): Promise<RunServer> {
  const folder = mkdtempSync(join(tmpdir(), "relay-run-"));
  const postgres = await startEmbeddedPostgres(folder);
  await applyMigrations(postgres.ownerUrl, join(import.meta.dirname, "../.."), {
    applicationRole: APPLICATION_ROLE,
  });
  await makeReady(postgres);
  return {
    url: postgres.url,
    ownerUrl: postgres.ownerUrl,
    folder,
    stop: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
