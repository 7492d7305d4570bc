/**
 * The files of the embedded server: created completely or not at all, and owned by the user that
 * the server runs as.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../../process/process-alive";
import type { Identity } from "./identity";
import { clusterName } from "./postmaster";

export interface Cluster {
  /** The folder with `cluster`, `password` and `server.log`. */
  readonly root: string;
  readonly folder: string;
  readonly native: string;
  readonly identity: Identity | undefined;
  readonly password: string;
}

/**
 * The data folder has mode 0700 and may be in a folder that only root can enter. So the server's
 * user gets its files as open descriptors, which Linux lets it use by name without access to the
 * path.
 */
function handOver(
  identity: Identity | undefined,
  paths: readonly string[],
): { names: string[]; descriptors: number[] } {
  if (identity === undefined || process.platform !== "linux")
    return { names: [...paths], descriptors: [] };
  return {
    names: paths.map((_, index) => `/proc/self/fd/${index + 3}`),
    descriptors: paths.map((path) => openSync(path, "r")),
  };
}

function run(
  cluster: Cluster,
  program: string,
  paths: readonly string[],
  args: (names: string[]) => string[],
): ChildProcess {
  const { names, descriptors } = handOver(cluster.identity, paths);
  const log = openSync(join(cluster.root, "server.log"), "a", 0o600);
  const options: SpawnOptions = {
    ...cluster.identity,
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log, ...descriptors],
  };
  try {
    return spawn(join(cluster.native, "bin", program), args(names), options);
  } finally {
    for (const descriptor of [log, ...descriptors]) closeSync(descriptor);
  }
}

/** The longest path of a socket that Linux takes. macOS takes 103. */
const SOCKET_PATH_BYTES = 103;

/**
 * The parameter of a URL that leads to the server's socket, which costs less than its port. Empty
 * where there is none: its path is too long, or a server was started by an earlier release.
 */
export function socketParameter({ folder }: Cluster, port: number): string {
  const socket = join(folder, `.s.PGSQL.${port}`);
  const isUsable = Buffer.byteLength(socket) <= SOCKET_PATH_BYTES && existsSync(socket);
  return isUsable ? `?host=${encodeURIComponent(folder)}` : "";
}

/** Starts the server as a process that outlives this one. Its port tells whether it serves. */
export function spawnServer(cluster: Cluster, port: number): ChildProcess {
  const log = join(cluster.root, "server.log");
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 8_000_000)
    renameSync(log, `${log}.old`);
  const child = run(cluster, "postgres", [cluster.folder], ([folder]) => {
    const settings = {
      cluster_name: clusterName(cluster.folder),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: String(folder),
      max_connections: "200",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return ["-D", String(folder), "-p", String(port), ...flags];
  });
  child.unref();
  return child;
}

/**
 * Removes what a killed start left behind. Its `initdb` may still be writing there; then the next
 * start removes the rest.
 */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = /^unfinished-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {}
  }
}

function own(cluster: Cluster, path: string): void {
  if (cluster.identity !== undefined) chownSync(path, cluster.identity.uid, cluster.identity.gid);
}

/**
 * Creates the files under another name and renames them when they are complete. Another process may
 * be first.
 */
export async function createClusterFiles(cluster: Cluster): Promise<void> {
  removeLeftovers(cluster.root);
  if (existsSync(join(cluster.folder, "PG_VERSION"))) return;
  const unfinished = join(
    cluster.root,
    `unfinished-${process.pid}-${randomBytes(4).toString("hex")}`,
  );
  const passwordFile = `${unfinished}-password`;
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  own(cluster, unfinished);
  own(cluster, passwordFile);
  try {
    const fixed = ["-U", "relay", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C"];
    const child = run(cluster, "initdb", [unfinished, passwordFile], ([folder, file]) => [
      "-D",
      `${folder}`,
      `--pwfile=${file}`,
      ...fixed,
    ]);
    const code = await new Promise((resolve, reject) =>
      child.once("exit", resolve).once("error", reject),
    );
    if (code !== 0)
      throw new Error(
        `The embedded PostgreSQL could not create its files: ${lastLogLines(cluster)}`,
      );
    renameSync(unfinished, cluster.folder);
  } catch (error) {
    if (!existsSync(join(cluster.folder, "PG_VERSION"))) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

/** The end of the server's log, as one line. */
export function lastLogLines(cluster: Cluster): string {
  try {
    return readFileSync(join(cluster.root, "server.log"), "utf8")
      .trim()
      .split("\n")
      .slice(-3)
      .join(" / ");
  } catch {
    return `see ${cluster.root}`;
  }
}
