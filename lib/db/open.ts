import { errorCode } from "../failures/relay-error";
import { placesOf, readDatabaseUrl } from "../net/database-url";
import { openDataFolder } from "../process/data-folder";
import type { Settings } from "../settings/settings";
import { pause } from "../timing/pause";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "./embedded";
import { applyMigrations } from "./migrate";
import { onlyRow } from "./only-row";
import { PrimaryClient } from "./primary-client";
import { assertSessions } from "./session-mode";

export interface OpenDatabase {
  /** The URL for the product's role. */
  readonly url: string;
  /**
   * The URL for the role that owns the tables, for migrations and for restoring a backup. Equal to
   * `url` when there is no other role.
   */
  readonly ownerUrl: string;
  /** The product's role, if it is not the owner. */
  readonly applicationRole: string | undefined;
  /** Whether a newer release was here, so that the database was left as it is. */
  readonly isOfNewer?: boolean;
  /** Ends this process's use of an embedded server. Does nothing for another one. */
  close(): Promise<void>;
}

/** Settings that may lose an acknowledged commit, and the values that are safe. */
const DURABLE: Readonly<Record<string, readonly string[]>> = {
  fsync: ["on"],
  full_page_writes: ["on"],
  synchronous_commit: ["on", "remote_apply"],
};

interface Place {
  readonly role: string;
  /** Identifies the database. */
  readonly database: string;
}

/** A server that starts, or recovers from a crash, says so in each answer. */
const IS_STARTING = "57P03";
const STARTING_MS = 30_000;
const ASK_AGAIN_MS = 200;

/** Connects; waits up to half a minute for a server that is starting. */
async function connectOnceReady(url: string): Promise<PrimaryClient> {
  for (const until = performance.now() + STARTING_MS; ; await pause(ASK_AGAIN_MS)) {
    const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: 5000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (errorCode(error) !== IS_STARTING || performance.now() > until) throw error;
    }
  }
}

/**
 * Throws a one-line error when the server at `url` cannot be reached, is older than 15, or may lose
 * an acknowledged commit.
 */
export async function assertUsableServer(url: string, setting = "DATABASE_URL"): Promise<Place> {
  const address = readDatabaseUrl(url);
  const client = await connectOnceReady(url).catch((error: unknown) => {
    const reason = (error instanceof Error && error.message) || errorCode(error);
    throw new Error(
      `${setting} cannot be used: the database ${address.database} at ${placesOf(address)} does not answer (${reason})`,
    );
  });
  try {
    const { rows } = await client.query<{ name: string; value: string }>(
      // As it is outside of our sessions, which set some of them.
      "select name, reset_val as value from pg_settings where name = any($1)",
      [["server_version_num", ...Object.keys(DURABLE)]],
    );
    for (const { name, value } of rows) {
      if (name === "server_version_num" && Number(value) < 150_000) {
        throw new Error(`${setting} cannot be used: PostgreSQL 15 or newer is needed`);
      }
      if (DURABLE[name] && !DURABLE[name].includes(value)) {
        throw new Error(
          `${setting} cannot be used: the server has ${name}=${value}, so points could be lost when it crashes`,
        );
      }
    }
    await assertSessions(client, url).catch((error: unknown) => {
      throw new Error(
        `${setting} cannot be used: ${error instanceof Error ? error.message : error}`,
      );
    });
    const place = await client.query<Place>(
      "select current_user as role, current_database() || ' ' || pg_postmaster_start_time()::text as database",
    );
    return onlyRow(place);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Opens the database of these settings without migrating it: the one of `DATABASE_URL`, else the
 * embedded one of the data folder.
 */
export async function openServer(settings: Settings): Promise<OpenDatabase> {
  if (settings.DATABASE_URL !== undefined)
    return openNamed(settings.DATABASE_URL, settings.DATABASE_OWNER_URL);
  const embedded = await startEmbeddedPostgres(openDataFolder(settings.RELAY_DATA_DIR).path);
  try {
    const { url, ownerUrl } = embedded;
    await assertUsableServer(ownerUrl);
    return { url, ownerUrl, applicationRole: APPLICATION_ROLE, close: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function openNamed(url: string, ownerUrl: string | undefined): Promise<OpenDatabase> {
  const place = await assertUsableServer(url);
  const close = async () => {};
  if (ownerUrl === undefined) return { url, ownerUrl: url, applicationRole: undefined, close };
  const owners = await assertUsableServer(ownerUrl, "DATABASE_OWNER_URL");
  if (owners.database !== place.database)
    throw new Error(
      "DATABASE_OWNER_URL cannot be used: it names another database than DATABASE_URL",
    );
  return {
    url,
    ownerUrl,
    applicationRole: owners.role === place.role ? undefined : place.role,
    close,
  };
}

/**
 * Opens the database as `openServer` does, migrates it, and sets the rights of the product's role.
 * `isBack`: a person wants to go back to this release, although a newer one was here.
 */
export async function openDatabase(
  settings: Settings,
  projectFolder: string,
  isBack = false,
): Promise<OpenDatabase> {
  const server = await openServer(settings);
  try {
    const { applicationRole } = server;
    let isOfNewer = false;
    await applyMigrations(server.ownerUrl, projectFolder, {
      applicationRole,
      isBack,
      onNewer: () => {
        isOfNewer = true;
      },
    });
    return { ...server, isOfNewer };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * Whether the role at `url` owns the ledger's tables, and so could write what only the ledger's
 * functions may.
 */
export async function ownsLedgerTables(url: string): Promise<boolean> {
  const client = new PrimaryClient({ connectionString: url });
  await client.connect();
  const { rows } = await client
    .query<{ owns: boolean }>(
      "select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'public.wallet'::regclass",
    )
    .finally(() => client.end());
  return rows[0]?.owns ?? false;
}
