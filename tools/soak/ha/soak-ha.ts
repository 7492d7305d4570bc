/**
 * Two servers on one database with a synchronous standby, the second one behind PgBouncer. The primary
 * changes again and again: killed, switched, frozen, vanished, or read-only in place. No charge may be
 * lost or doubled, and requests are served again three seconds after the new primary is. At the end the
 * primary is lost with an asynchronous standby: what is missing then must be found and named.
 */
import { pause } from "@/lib/timing/pause";
import { hasPooler, startPooler } from "@/testing/db/pooler";
import { type PairServer, startServerPair } from "@/testing/db/server-pair";
import { cannotRun, faultsOf, orderers, withSoak } from "../installation";
import { plans } from "../mixed/orders";
import { hasBalancer, startAddress } from "./address";
import { loseWrites } from "./asynchronous";
import { rebuildStandby, waitUntilSynchronous } from "./rebuild";
import { type Pair, type Run, untilServed } from "./run";

const CLIENTS = 12;
const BACK_MS_MAX = 3000;
/** Fifteen seconds unless it is set: no connection is tried for so long after one that failed. */
const RETRY = "server_login_retry = 1\n";
const POOLER = `default_pool_size = 120\nmax_client_conn = 500\n${RETRY}`;

const ways = ["kill", "switch", "freeze", "read-only", "vanish"] as const;
type Way = (typeof ways)[number];

async function endPrimary(way: Way, primary: PairServer): Promise<void> {
  if (way === "kill") primary.signalAll("SIGKILL");
  else if (way === "switch") await primary.kill();
  else if (way === "freeze" || way === "vanish") primary.signalAll("SIGSTOP");
  else {
    await primary.asOwner("alter system set default_transaction_read_only = on");
    await primary.asOwner("select pg_reload_conf()");
  }
}

async function changePrimary(
  pair: Pair,
  way: Way,
  { address, soak, clients }: Run,
): Promise<number> {
  const { primary: before, standby: next } = pair;
  await endPrimary(way, before);
  // A vanished one is noticed late.
  if (way === "vanish") await pause(2000);
  await next.promote();
  await address.moveTo(next.port);
  const backMs = await untilServed(soak, clients);
  before.signalAll("SIGCONT");
  await before.kill();
  await rebuildStandby(before, next);
  await waitUntilSynchronous(next);
  pair.primary = next;
  pair.standby = before;
  return backMs;
}

async function changeOften(run: Run, pair: Pair, changes: number) {
  const faults: string[] = [];
  const longest: Partial<Record<Way, number>> = {};
  for (let n = 0; n < changes; n++) {
    await pause(500 + Math.random() * 1500);
    const way = ways[n % ways.length] ?? "kill";
    const backMs = await changePrimary(pair, way, run);
    longest[way] = Math.max(longest[way] ?? 0, Math.round(backMs));
    if (backMs > BACK_MS_MAX)
      faults.push(`change ${n + 1}, ${way}: served after ${Math.round(backMs)} ms`);
    console.log(
      `change ${n + 1} of ${changes}, ${way}: served again after ${Math.round(backMs)} ms`,
    );
  }
  console.log(`longest until served again, in ms: ${JSON.stringify(longest)}`);
  return faults;
}

export async function soakHa(changes: number): Promise<string[]> {
  if (!hasBalancer || !hasPooler) {
    return cannotRun("haproxy and pgbouncer are needed (apt-get install haproxy pgbouncer)");
  }
  const servers = await startServerPair();
  const pair: Pair = { primary: servers.primary, standby: servers.standby };
  await waitUntilSynchronous(pair.primary);
  const address = await startAddress([pair.primary.port, pair.standby.port]);
  const at = (url: string, port: number) =>
    Object.assign(new URL(url), { port: String(port) }).href;
  const { url, ownerUrl } = pair.primary;
  const pooler = await startPooler(
    at(url, address.cuttingPort),
    "session",
    [url, ownerUrl],
    POOLER,
  );
  const database = {
    folder: servers.primary.cluster.root,
    get url() {
      return pair.primary.url;
    },
    ownerUrl: at(ownerUrl, address.port),
    pids: () => [],
    stop: async () => {},
  };
  const spawn = { detached: true };
  const common = { DATABASE_OWNER_URL: "" };
  const options = {
    database,
    servers: {
      one: { spawn, settings: { ...common, DATABASE_URL: at(url, address.port) } },
      pooled: { spawn, settings: { ...common, DATABASE_URL: pooler.through(url) } },
    },
  };
  try {
    return await withSoak(options, async (soak) => {
      const clients = orderers(soak, "ha", plans.text)(CLIENTS);
      const run = { soak, address, clients };
      const slow = await changeOften(run, pair, changes);
      const loss = await loseWrites(run, pair);
      await clients.stop();
      const title = `${changes} changes of the primary, and one that lost writes`;
      return faultsOf(soak, title, [...slow, ...loss.faults], loss.named);
    });
  } finally {
    await pooler.stop();
    address.stop();
    await servers.stop();
  }
}
