/**
 * A whole installation for tests and measurements: PostgreSQL, and the built product in one or
 * several servers. Each part is left out by not naming it.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/db/embedded";
import { livePostmaster } from "@/lib/db/embedded/postmaster";
import { commandLine, type Relay } from "./command-line";
import { freePort } from "./listen";
import { processTree } from "./processes";
import type { Environment, ProductOptions } from "./product";
import { Server } from "./server";

interface ServerOptions extends Omit<ProductOptions, "settings"> {
  readonly settings?: Environment;
}

export interface StageOptions {
  /** The folder for everything; a new one by default, which `close` removes. */
  readonly folder?: string;
  readonly checkout?: string | undefined;
  /** Settings of all servers and of the command line. */
  readonly settings?: Environment;
  /** By name. A port that is not given is a free one, and stays the same over starts. */
  readonly servers?: Readonly<Record<string, ServerOptions>>;
  /**
   * `shared`: a PostgreSQL beside the servers, or one in the named folder, or one that somebody else
   * starts and stops. Absent: each server has one of its own.
   */
  readonly database?: "shared" | { readonly folder: string } | Database;
}

export interface Database extends EmbeddedPostgres {
  readonly folder: string;
  /** All processes of the server, the first one first; none while it is away. */
  pids(): number[];
}

export async function openDatabase(folder: string): Promise<Database> {
  const postgres = await startEmbeddedPostgres(folder);
  return {
    ...postgres,
    folder,
    pids() {
      const postmaster = livePostmaster(join(folder, "postgres", "cluster"));
      return postmaster === undefined ? [] : processTree(postmaster.pid);
    },
  };
}

export interface Stage {
  readonly folder: string;
  readonly servers: readonly Server[];
  readonly database: Database | null;
  /** The commands, in the installation of the first server. */
  readonly relay: Relay;
  /** The settings of the first server. */
  readonly settings: Environment;
  /** Kills what still runs, stops the database, and removes the folder unless `keeps`. */
  close(keeps?: boolean): Promise<void>;
}

async function databaseOf({ database }: StageOptions, folder: string): Promise<Database | null> {
  if (database === undefined) return null;
  if (database === "shared") return openDatabase(join(folder, "database"));
  return "url" in database ? database : openDatabase(database.folder);
}

/** Opens an installation. Its servers are started by whoever opens it. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { checkout, servers: named = {} } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "relay-stage-"));
  const database = await databaseOf(options, folder);
  const common = {
    ...(database && {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      RELAY_SECRET: "one-secret-for-all-servers-of-a-stage",
    }),
    ...options.settings,
  };
  const servers: Server[] = [];
  for (const [name, { settings, ...more }] of Object.entries(named)) {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const PORT = String(await freePort());
    const all = { ...common, RELAY_DATA_DIR: own, PORT, ...settings };
    servers.push(new Server(name, { checkout, ...more, settings: all }));
  }
  const settings = servers[0]?.options.settings ?? common;
  return {
    folder,
    servers,
    database,
    settings,
    relay: commandLine(settings, checkout),
    async close(keeps = false) {
      for (const server of servers) server.abandon();
      await database?.stop();
      if (keeps) console.error(`The data are kept in ${folder}`);
      else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
