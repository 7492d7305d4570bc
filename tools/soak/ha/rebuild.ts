/** Makes a standby of a server's folder again, from the primary's files, with nothing but SQL and `cp`. */
import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { pause } from "@/lib/timing/pause";
import type { PairServer } from "@/testing/db/server-pair";

/** The server that was the primary has been killed. */
export async function rebuildStandby(standby: PairServer, primary: PairServer): Promise<void> {
  const { folder, identity } = standby.cluster;
  const client = new pg.Client({ connectionString: primary.ownerUrl });
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  rmSync(folder, { recursive: true, force: true });
  // Files may vanish while they are copied.
  try {
    execFileSync("cp", ["-a", primary.cluster.folder, dirname(folder)], { stdio: "ignore" });
  } catch {}
  const { rows } = await client.query<{ label: string }>(
    "select labelfile as label from pg_backup_stop(false)",
  );
  await client.end();
  rmSync(join(folder, "postmaster.pid"), { force: true });
  const { username, password } = new URL(primary.ownerUrl);
  for (const [name, text] of [
    ["backup_label", rows[0]?.label ?? ""],
    ["standby.signal", ""],
  ] as const) {
    writeFileSync(join(folder, name), text);
    if (identity !== undefined) chownSync(join(folder, name), identity.uid, identity.gid);
  }
  appendFileSync(
    join(folder, "postgresql.auto.conf"),
    `synchronous_standby_names = ''\nprimary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${username} password=${password}'\n`,
  );
  await standby.start();
}

/** Commits wait for the standby from now on. */
export async function waitUntilSynchronous(primary: PairServer): Promise<void> {
  await primary.asOwner("alter system set synchronous_standby_names = '*'");
  await primary.asOwner("select pg_reload_conf()");
  for (;;) {
    const rows = await primary.asOwner<{ state: string }>(
      "select sync_state as state from pg_stat_replication where state = 'streaming'",
    );
    if (rows.some(({ state }) => state === "sync")) return;
    await pause(100);
  }
}
