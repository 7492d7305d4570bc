/**
 * Two servers behind one address, on one PostgreSQL and one Redis. Either server is killed, and
 * Redis is frozen and killed; all limits and charges must still hold.
 */
import { pause } from "@/lib/timing/pause";
import { hasRedis, startTestRedis, type TestRedis } from "@/testing/limits/test-redis";
import { makeKey } from "@/testing/stage/command-line";
import { EMAIL, faultsOf, orderers, readRow, type Soak, withSoak } from "./installation";
import type { Clients } from "./mixed/clients";
import { plans } from "./mixed/orders";
import { startRoundRobin } from "./round-robin";

const CLIENTS = 12;
const LIMITED_CLIENTS = 4;
const LIMIT = 60;

/** Windows of 59 seconds, since the clocks of a process and the database may differ by a second. */
const busiestMinute = `select coalesce(max(n), 0)::int as n from (
  select count(*) over (order by created_at range between interval '59 seconds' preceding and current row) as n from request_known where api_key_id = $1) w`;

interface Replicas {
  readonly soak: Soak;
  readonly redis: TestRedis;
  readonly clients: Clients;
  /** Starts clients at the shared address. */
  order(apiKey: string, count: number): Clients;
}

/**
 * Takes Redis away for three seconds, alternately frozen and killed. Returns how many requests
 * failed meanwhile.
 */
async function troubleRedis({ redis, clients }: Replicas, round: number): Promise<number> {
  const before = clients.seen.failed;
  if (round % 2 === 0) redis.freeze();
  else await redis.kill();
  await pause(3000);
  if (round % 2 === 0) redis.thaw();
  else await redis.start();
  await pause(1000);
  return clients.seen.failed - before;
}

async function killServer({ soak: { servers } }: Replicas, round: number): Promise<void> {
  const server = servers[round % servers.length];
  await server?.kill();
  await server?.start();
  // Requests that the kill interrupted are counted before the next step.
  await pause(2000);
}

/**
 * Runs `work` `rounds` times beside clients with a limited key of their own. Returns the most
 * requests that the key had in a minute.
 */
async function limitedPhase(
  replicas: Replicas,
  title: string,
  rounds: number,
  work: (round: number) => Promise<void>,
): Promise<number> {
  const { soak, order } = replicas;
  const key = await makeKey(soak.relay, EMAIL, LIMIT);
  const clients = order(key.secret, LIMITED_CLIENTS);
  for (let round = 0; round < rounds; round++) {
    await pause(500 + Math.random() * 1000);
    await work(round);
  }
  await clients.stop();
  const most = (await readRow<{ n: number }>(soak, busiestMinute, [key.id]))?.n ?? -1;
  console.log(
    `${title}: ${rounds} rounds, a key with ${LIMIT} requests a minute had ${most} in its busiest`,
  );
  return most;
}

async function runPhases(replicas: Replicas, rounds: number): Promise<string[]> {
  const faults: string[] = [];
  const mostOfKills = await limitedPhase(replicas, "servers killed", rounds, (round) =>
    killServer(replicas, round),
  );
  if (mostOfKills > LIMIT)
    faults.push(`a limit of ${LIMIT} let ${mostOfKills} through while servers were killed`);
  let failed = 0;
  const trouble = async (round: number) => {
    failed += await troubleRedis(replicas, round);
  };
  const mostOfRedis = await limitedPhase(replicas, "Redis frozen and killed", rounds, trouble);
  if (mostOfRedis > LIMIT)
    faults.push(`a limit of ${LIMIT} let ${mostOfRedis} through while Redis was away`);
  // Both servers are restarted within one minute and forget their counts, so each may use its share
  // again. Charges must hold all the same.
  await limitedPhase(replicas, "both within one minute", rounds, async (round) => {
    await killServer(replicas, round);
    await trouble(round);
  });
  console.log(`requests that failed while Redis was away: ${failed}`);
  if (failed > 0) faults.push(`${failed} requests failed while Redis was away`);
  return faults;
}

async function soakOn(soak: Soak, redis: TestRedis, rounds: number): Promise<string[]> {
  const address = await startRoundRobin(soak.servers.map(({ port }) => port));
  const start = orderers(soak, "replicas", plans["good text"]);
  const order = (apiKey: string, count: number) =>
    start(count, { apiKey, urls: [address.url], pauseMs: 20 });
  const clients = order(soak.apiKey, CLIENTS);
  const faults = await runPhases({ soak, redis, clients, order }, rounds);
  await clients.stop();
  address.close();
  return faultsOf(soak, `two servers behind one address: ${2 * rounds} kills`, faults);
}

export async function soakReplicas(rounds: number): Promise<string[]> {
  if (!hasRedis) return ["redis-server is not installed: apt-get install redis-server"];
  const redis = await startTestRedis();
  const server = { spawn: { detached: true } };
  const options = {
    database: "shared",
    settings: { REDIS_URL: redis.url },
    servers: { one: server, other: server },
  } as const;
  return withSoak(options, (soak) => soakOn(soak, redis, rounds)).finally(() => redis.kill());
}
