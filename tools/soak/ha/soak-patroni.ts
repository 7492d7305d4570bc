/**
 * Two servers on a database that Patroni keeps: one by way of HAProxy, which asks Patroni, and one
 * with both hosts in its address. The primary's machine loses its power, is frozen, or hands over; or
 * its database alone dies. No charge may be lost or doubled, and requests are served again three seconds after
 * Patroni says which member is the primary.
 */
import { join } from "node:path";
import { applyMigrations } from "@/lib/db/migrate";
import { pause } from "@/lib/timing/pause";
import { root } from "@/testing/stage/product";
import { cannotRun, faultsOf, orderers, withSoak } from "../installation";
import { plans } from "../mixed/orders";
import type { Member } from "./member";
import { missingPrograms, type Patroni, startPatroni, untilPaired } from "./patroni";
import { type Run, untilServed } from "./run";

const CLIENTS = 12;
const BACK_MS_MAX = 3000;
const PRIMARY_MS_MAX = 120_000;
const ways = ["power", "handed over", "frozen", "database alone"] as const;
type Way = (typeof ways)[number];

/** Roles and a database as docs/operating.md says, with all migrations. */
async function furnishDatabase({ members: [first], balancerPort, certificate }: Patroni) {
  for (const role of ["relay_owner", "relay_app"])
    await first.query(`create role ${role} login password 'of-a-test'`);
  await first.query("create database relay owner relay_owner");
  await first.query("create table commits (at timestamptz)");
  const session = `sslmode=verify-full&sslrootcert=${certificate}`;
  const at = (role: string, hosts: string) =>
    `postgresql://${role}:of-a-test@${hosts}/relay?${session}`;
  const ownerUrl = at("relay_owner", `127.0.0.1:${balancerPort}`);
  await applyMigrations(ownerUrl, root, { applicationRole: "relay_app" });
  return { ownerUrl, at };
}

async function endPrimary(way: Way, before: Member, next: Member): Promise<void> {
  if (way === "power") await before.vanish();
  else if (way === "handed over") await before.handOver(next);
  else if (way === "frozen") before.signalAll("SIGSTOP");
  else before.signalDatabase("SIGKILL");
}

/**
 * Until the member that is the primary then commits, which may wait for the standby. Patroni may
 * start the database that died again in its place.
 */
async function untilCommits(before: Member, pid: number | null, other: Member): Promise<void> {
  for (const since = performance.now(); ; await pause(20)) {
    for (const member of before.databasePid === pid ? [other] : [other, before])
      if ((await member.is("primary")) && (await member.commits())) return;
    if (performance.now() - since > PRIMARY_MS_MAX) throw new Error("no member became the primary");
  }
}

async function changePrimary(
  { members }: Patroni,
  way: Way,
  { soak, clients }: Pick<Run, "soak" | "clients">,
): Promise<{ readonly noticedMs: number; readonly backMs: number }> {
  const [first, second] = members;
  const isFirst = await first.is("primary");
  const [before, other] = isFirst ? ([first, second] as const) : ([second, first] as const);
  const since = performance.now();
  const pid = before.databasePid;
  await endPrimary(way, before, other);
  await untilCommits(before, pid, other);
  const noticedMs = performance.now() - since;
  const backMs = await untilServed(soak, clients);
  if (way === "power") await before.start();
  else if (way === "frozen") before.signalAll("SIGCONT");
  await untilPaired(members);
  return { noticedMs, backMs };
}

async function changeOften(
  patroni: Patroni,
  run: Pick<Run, "soak" | "clients">,
  changes: number,
  backMsMax: number,
) {
  const faults: string[] = [];
  for (let n = 0; n < changes; n++) {
    await pause(500 + Math.random() * 1500);
    const way = ways[n % ways.length] ?? "power";
    const { noticedMs, backMs } = await changePrimary(patroni, way, run);
    const [noticed, back] = [Math.round(noticedMs), Math.round(backMs)];
    const title = `change ${n + 1} of ${changes}, ${way}`;
    console.log(`${title}: a primary after ${noticed} ms, served again ${back} ms later`);
    if (backMs > backMsMax) faults.push(`${title}: served after ${back} ms`);
  }
  return faults;
}

/** `backMsMax`: more on a machine that does other work. */
export async function soakPatroni(changes: number, backMsMax = BACK_MS_MAX): Promise<string[]> {
  const missing = missingPrograms();
  if (missing !== null) {
    return cannotRun(`${missing} is needed`);
  }
  const patroni = await startPatroni();
  try {
    const { ownerUrl, at } = await furnishDatabase(patroni);
    const balanced = at("relay_app", `127.0.0.1:${patroni.balancerPort}`);
    const hosts = patroni.members.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const both = `${at("relay_app", hosts)}&target_session_attrs=read-write`;
    const spawn = { detached: true };
    const common = { DATABASE_OWNER_URL: "" };
    const options = {
      database: { folder: join(patroni.folder, "none"), url: balanced, ownerUrl, ...idle },
      servers: {
        balanced: { spawn, settings: { ...common, DATABASE_URL: balanced } },
        hosts: { spawn, settings: { ...common, DATABASE_URL: both } },
      },
    };
    return await withSoak(options, async (soak) => {
      const clients = orderers(soak, "patroni", plans.text)(CLIENTS);
      const slow = await changeOften(patroni, { soak, clients }, changes, backMsMax).finally(() =>
        clients.stop(),
      );
      return faultsOf(soak, `${changes} changes of Patroni's primary`, slow);
    });
  } finally {
    await patroni.stop();
  }
}

/** Patroni starts and stops it. */
const idle = { pids: () => [], stop: async () => {} };
