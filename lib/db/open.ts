import { join } from "node:path";
import pg from "pg";
import { openDataFolder } from "../data-folder";
import type { Settings } from "../settings";
import { startEmbeddedPostgres } from "./embedded";
import { applyMigrations } from "./migrate";

export interface OpenDatabase {
  readonly url: string;
  /** Ends this process's use of an embedded server; does nothing for another. */
  close(): Promise<void>;
}

/** What may lose an acknowledged commit when it is off, and the values under which it cannot. */
const DURABLE: Readonly<Record<string, readonly string[]>> = {
  fsync: ["on"],
  full_page_writes: ["on"],
  synchronous_commit: ["on", "remote_apply"],
};

/** Throws one clear line when the server at `url` cannot be reached, is older than 15, or may lose what it acknowledged. */
export async function assertUsableServer(url: string): Promise<void> {
  const { host, pathname } = new URL(url);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`DATABASE_URL cannot be used: the database ${pathname.slice(1)} at ${host} does not answer (${message || code})`);
  }
  try {
    const { rows } = await client.query<{ name: string; setting: string }>("select name, setting from pg_settings where name = any($1)", [
      ["server_version_num", ...Object.keys(DURABLE)],
    ]);
    for (const { name, setting } of rows) {
      if (name === "server_version_num" && Number(setting) < 150_000) {
        throw new Error("DATABASE_URL cannot be used: PostgreSQL 15 or newer is needed");
      }
      if (DURABLE[name] && !DURABLE[name].includes(setting)) {
        throw new Error(`DATABASE_URL cannot be used: the server has ${name}=${setting}, so points could be lost when it crashes`);
      }
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/** The database of these settings as it is: the one named by `DATABASE_URL`, else the embedded one of the data folder. */
export async function openServer(settings: Settings): Promise<OpenDatabase> {
  const embedded =
    settings.DATABASE_URL === undefined ? await startEmbeddedPostgres(openDataFolder(settings.RELAY_DATA_DIR).path) : undefined;
  const url = embedded?.url ?? (settings.DATABASE_URL as string);
  try {
    await assertUsableServer(url);
    return { url, close: async () => embedded?.stop() };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** The same, migrated. */
export async function openDatabase(settings: Settings, projectFolder: string): Promise<OpenDatabase> {
  const server = await openServer(settings);
  try {
    await applyMigrations(server.url, join(projectFolder, "prisma/migrations"));
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}
