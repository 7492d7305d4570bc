/** A primary and its standby, with all migrations, for tests of a change of the primary. */
import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "../../lib/db/embedded";
import { type Cluster, spawnServer } from "../../lib/db/embedded/cluster";
import { serverIdentity } from "../../lib/db/embedded/identity";
import { nativeFolder } from "../../lib/db/embedded/native";
import { applyMigrations } from "../../lib/db/migrate";
import { pause } from "../../lib/timing/pause";
import { freePort } from "../stage/listen";
import { processTree, signal } from "../stage/processes";
import { removeFolder } from "../stage/remove-folder";

const root = join(import.meta.dirname, "../..");

const atPort = (url: string, port: number): string => {
  const moved = new URL(url);
  moved.port = String(port);
  moved.search = "";
  return moved.href;
};

/** One of the two. */
export class PairServer {
  #child: ChildProcess | null = null;

  constructor(
    readonly cluster: Cluster,
    readonly port: number,
    /** For the product's role. */
    readonly url: string,
    readonly ownerUrl: string,
  ) {}

  async start(): Promise<void> {
    this.#child = spawnServer(this.cluster, this.port);
    for (;;) {
      const isThere = await this.asOwner("select").then(
        () => true,
        () => false,
      );
      if (isThere) return;
      await pause(50);
    }
  }

  signalAll(name: NodeJS.Signals): void {
    if (this.#child?.pid !== undefined) signal(processTree(this.#child.pid), name);
  }

  /** Ends it at once, as a machine that loses its power. */
  async kill(): Promise<void> {
    const child = this.#child;
    const hasEnded = () => child === null || child.exitCode !== null || child.signalCode !== null;
    if (hasEnded()) return;
    this.signalAll("SIGCONT");
    child?.kill("SIGQUIT");
    // Nothing else may keep this process alive.
    while (!hasEnded()) await pause(20);
  }

  async asOwner<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.ownerUrl });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Becomes the primary. */
  async promote(): Promise<void> {
    await this.asOwner("select pg_promote(true, 60)");
  }
}

export interface ServerPair {
  readonly primary: PairServer;
  readonly standby: PairServer;
  /** Waits until the standby has all that the primary wrote. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** A server with all migrations that was stopped. Its folder is removed with this process. */
async function makeMigrated() {
  const folder = mkdtempSync(join(tmpdir(), "relay-pair-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const single = await startEmbeddedPostgres(folder);
  await applyMigrations(single.ownerUrl, root, { applicationRole: APPLICATION_ROLE });
  await single.stop();
  const { url, ownerUrl } = single;
  return { cluster: join(folder, "postgres", "cluster"), url, ownerUrl };
}
/** Each pair of this process is copied from it. */
let migrated: ReturnType<typeof makeMigrated> | undefined;

export async function startServerPair(): Promise<ServerPair> {
  migrated ??= makeMigrated();
  const single = await migrated;
  const folder = mkdtempSync(join(tmpdir(), "relay-pair-"));
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const place of [first, second]) {
    mkdirSync(place);
    execFileSync("cp", ["-a", single.cluster, place]);
  }
  const serverIn = async (place: string) => {
    const cluster = join(place, "cluster");
    const identity = serverIdentity(cluster);
    const port = await freePort();
    return new PairServer(
      { root: place, folder: cluster, native: nativeFolder(identity), identity, password: "" },
      port,
      atPort(single.url, port),
      atPort(single.ownerUrl, port),
    );
  };
  const [primary, standby] = [await serverIn(first), await serverIn(second)];
  const { username, password } = new URL(single.ownerUrl);
  const mark = join(standby.cluster.folder, "standby.signal");
  writeFileSync(mark, "");
  const { identity } = standby.cluster;
  if (identity !== undefined) chownSync(mark, identity.uid, identity.gid);
  appendFileSync(
    join(standby.cluster.folder, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${username} password=${password}'\n`,
  );
  await primary.start();
  await standby.start();
  const pair: ServerPair = {
    primary,
    standby,
    async caughtUp() {
      const [at] = await primary.asOwner<{ at: string }>(
        "select pg_current_wal_flush_lsn()::text as at",
      );
      for (;;) {
        const [seen] = await standby.asOwner<{ has: boolean }>(
          `select coalesce(pg_last_wal_replay_lsn() >= '${at?.at}', false) as has`,
        );
        if (seen?.has) return;
        await pause(20);
      }
    },
    async stop() {
      await Promise.all([primary.kill(), standby.kill()]);
      removeFolder(folder);
    },
  };
  await pair.caughtUp();
  return pair;
}
