/** PgBouncer in front of a test database, where it is installed, with its defaults. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { serverIdentity } from "../../lib/db/embedded/identity";
import { pause } from "../../lib/timing/pause";
import { freePort } from "../stage/listen";
import { overTcp } from "./run-server";

export const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

export interface Pooler {
  /** The database's address, through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

export async function startPooler(
  databaseUrl: string,
  mode: "session" | "transaction" | "statement",
  users: readonly string[],
  more = "",
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "relay-pooler-"));
  const identity = serverIdentity(join(folder, "none"));
  const { hostname, port } = new URL(databaseUrl);
  const listen = await freePort();
  const [config, list] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  const entries = users.map((user) => {
    const { username, password } = new URL(user);
    return `"${username}" "${password}"\n`;
  });
  writeFileSync(list, entries.join(""));
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = plain
auth_file = ${list}
pool_mode = ${mode}
${more}`,
  );
  if (identity !== undefined)
    for (const path of [folder, config, list]) chownSync(path, identity.uid, identity.gid);
  const child: ChildProcess = spawn("pgbouncer", [config], { ...identity, stdio: "ignore" });
  const through = (url: string) => {
    const moved = new URL(overTcp(url));
    moved.port = String(listen);
    return moved.href;
  };
  for (;;) {
    const client = new pg.Client({ connectionString: through(databaseUrl) });
    client.on("error", () => {});
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isThere) break;
    await pause(50);
  }
  return {
    through,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
