/**
 * The embedded PostgreSQL: a real server from an npm package, with its files in the data folder.
 * For first runs, demos and tests.
 *
 * Several processes share one server. Each holds a shared advisory lock in the database `postgres`.
 * A process that leaves tries to take the lock exclusively, and stops the server only if it gets
 * it. A server that outlived the process that started it is found by its lock file and reused.
 */
import type { ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import pg from "pg";
import { readOrMakeSecret } from "../process/secret-file";
import { pause } from "../timing/pause";
import { isExistingAlready, isWrongPassword } from "./database-errors";
import {
  type Cluster,
  createClusterFiles,
  lastLogLines,
  socketParameter,
  spawnServer,
} from "./embedded/cluster";
import { serverIdentity } from "./embedded/identity";
import { nativeFolder } from "./embedded/native";
import { lastPort, livePostmaster, removeDeadLock, stopPostmaster } from "./embedded/postmaster";

const USERS_LOCK = 7_275_614;
/**
 * How long a start is retried while no server is running. A running one may need longer to recover.
 */
const PATIENCE_SECONDS = 10;
const REJOIN_PAUSE_MS = 1000;
/**
 * How long a start waits for the last port: a process that uses this server keeps that port in its
 * URL, and may be trying it at this moment.
 */
const PORT_PATIENCE_MS = 3000;

export interface EmbeddedPostgres {
  /**
   * The URL of the database `relay` for the product's role. It does not change while this process
   * uses the server.
   */
  readonly url: string;
  /** The same database for the role that owns everything in it. */
  readonly ownerUrl: string;
  /** Ends this process's use of the server. The last process stops it. */
  stop(): Promise<void>;
}

/** `wanted` if nothing listens there, else a free port. 0 always gets a free port. */
function freePort(wanted: number): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", (error) => (wanted === 0 ? fail(error) : freePort(0).then(done, fail)));
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function openCluster(dataFolder: string): Cluster {
  const root = join(resolve(dataFolder), "postgres");
  const folder = join(root, "cluster");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  chmodSync(dataFolder, 0o700);
  const identity = serverIdentity(folder);
  return {
    root,
    folder,
    identity,
    native: nativeFolder(identity),
    password: readOrMakeSecret(join(root, "password")),
  };
}

/** The role that owns the embedded server, and the role of the product. */
const OWNER = "relay";
export const APPLICATION_ROLE = "relay_app";

const passwordOf = ({ password }: Cluster, role: string): string =>
  role === OWNER ? password : createHmac("sha256", password).update(role).digest("hex");

function urlOf(cluster: Cluster, port: number, database: string, role = OWNER): string {
  const server = `${role}:${passwordOf(cluster, role)}@127.0.0.1:${port}`;
  return `postgresql://${server}/${database}${socketParameter(cluster, port)}`;
}

/**
 * Creates the role and the database if they are missing, also on a server that an older version
 * created.
 */
async function makeRoleAndDatabase(cluster: Cluster, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as role, exists (select from pg_database where datname = 'relay') as database`,
    [APPLICATION_ROLE],
  );
  if (!rows[0]?.role) {
    const attributes =
      "login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls";
    await client
      .query(
        `create role ${APPLICATION_ROLE} ${attributes} password '${passwordOf(cluster, APPLICATION_ROLE)}'`,
      )
      .catch(ignoreThatItExists);
  }
  if (!rows[0]?.database) await client.query("create database relay").catch(ignoreThatItExists);
}

/**
 * A connection that holds the shared lock; undefined when the server is starting, stopping or gone.
 */
async function joinServer(cluster: Cluster, port: number): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: urlOf(cluster, port, "postgres"),
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select pg_advisory_lock_shared($1)", [USERS_LOCK]);
    await makeRoleAndDatabase(cluster, client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (isWrongPassword(error)) {
      throw new Error(
        `The embedded PostgreSQL in ${cluster.root} refuses its own password: the file \`password\` there was changed.`,
      );
    }
    return undefined;
  }
}

function ignoreThatItExists(error: unknown): void {
  if (!isExistingAlready(error)) throw error;
}

interface Membership {
  readonly client: pg.Client;
  readonly port: number;
}

/**
 * Finds the running server or starts one on `portWanted`. When something else listens there, the
 * start takes another port after `portPatienceMs`.
 */
async function findOrStart(
  cluster: Cluster,
  portWanted: number,
  portPatienceMs: number,
): Promise<Membership> {
  const startedAt = Date.now();
  let child: ChildProcess | undefined;
  let failure: Error | undefined;
  const hasEnded = () =>
    child === undefined || child.exitCode !== null || child.signalCode !== null;
  for (let aliveAt = Date.now(); Date.now() - aliveAt < PATIENCE_SECONDS * 1000; await pause(20)) {
    const running = livePostmaster(cluster.folder);
    if (running !== undefined) {
      aliveAt = Date.now();
      const client = running.port > 0 ? await joinServer(cluster, running.port) : undefined;
      if (client !== undefined) return { client, port: running.port };
    } else if (hasEnded()) {
      if (child !== undefined) await pause(200);
      removeDeadLock(cluster.folder);
      const port = await freePort(portWanted);
      const isOther = portWanted !== 0 && port !== portWanted;
      if (isOther && Date.now() - startedAt < portPatienceMs) continue;
      child = spawnServer(cluster, port).on("error", (error) => {
        failure = error;
      });
    }
    if (failure !== undefined) throw failure;
  }
  throw new Error(`The embedded PostgreSQL did not start: ${lastLogLines(cluster)}`);
}

/** Starts the server whose files are in `dataFolder`, or joins the running one. */
export async function startEmbeddedPostgres(dataFolder: string): Promise<EmbeddedPostgres> {
  const cluster = openCluster(dataFolder);
  await createClusterFiles(cluster);
  let member = await findOrStart(cluster, lastPort(cluster.folder), PORT_PATIENCE_MS);
  let stopped: Promise<void> | undefined;
  let rejoining = Promise.resolve();

  /** Restarts a server that died on the same port, so that connection pools find it again. */
  async function rejoin(): Promise<void> {
    let told = "";
    while (stopped === undefined) {
      try {
        member = await findOrStart(cluster, member.port, Number.POSITIVE_INFINITY);
        watch();
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== told) process.stderr.write(`${reason}\n`);
        told = reason;
        // It may fail at once, and each time: this process still has to answer, and to stop.
        await pause(REJOIN_PAUSE_MS);
      }
    }
  }
  function watch(): void {
    member.client.once("end", () => {
      if (stopped === undefined) rejoining = rejoin();
    });
  }
  watch();
  return {
    url: urlOf(cluster, member.port, "relay", APPLICATION_ROLE),
    ownerUrl: urlOf(cluster, member.port, "relay"),
    stop: () => {
      stopped ??= rejoining.then(() => leave(cluster, member));
      return stopped;
    },
  };
}

async function leave(cluster: Cluster, { client, port }: Membership): Promise<void> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [USERS_LOCK]);
    const { rows } = await client.query<{ isLast: boolean }>(
      'select pg_try_advisory_lock($1) "isLast"',
      [USERS_LOCK],
    );
    if (rows[0]?.isLast) await stopPostmaster(cluster.folder);
    await client.end().catch(() => {});
  } catch {
    await client.end().catch(() => {});
    // The connection was lost. Either another process is stopping the server, or the server
    // restarts after a crash and this process must join and leave again.
    while (livePostmaster(cluster.folder)?.port === port) {
      const again = await joinServer(cluster, port);
      if (again !== undefined) return leave(cluster, { client: again, port });
      await pause(20);
    }
  }
}
