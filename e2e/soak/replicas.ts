/**
 * Two servers behind one address, on one PostgreSQL and one Redis. Either server is killed, and
 * Redis is frozen and killed; all limits and charges must still hold.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "@/lib/db/embedded";
import { pause } from "@/lib/pause";
import { hasRedis, startTestRedis, type TestRedis } from "@/testing/limits/test-redis";
import { type Callers, startCallers } from "./chat-callers";
import { checkCharges } from "./chat-verdict";
import { auditFaults, makeKey, startServers, waitForNone } from "./installations";
import { type Environment, freePort, type Product, startProduct } from "./product";
import { startRoundRobin } from "./round-robin";

const CALLERS = 12;
const LIMITED_CALLERS = 4;
const LIMIT = 60;

/** Windows of 59 seconds, since the clocks of a process and the database may differ by a second. */
const busiestMinute = `select coalesce(max(n), 0)::int as n from (
  select count(*) over (order by created_at range between interval '59 seconds' preceding and current row) as n from operation where api_key_id = $1) w`;

async function busiest(databaseUrl: string, keyId: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client
    .query<{ n: number }>(busiestMinute, [keyId])
    .finally(() => client.end());
  return rows[0]?.n ?? -1;
}

/**
 * Takes Redis away for three seconds, alternately frozen and killed. Returns how many requests
 * failed meanwhile.
 */
async function troubleRedis(redis: TestRedis, round: number, callers: Callers): Promise<number> {
  const before = callers.interrupted();
  if (round % 2 === 0) redis.freeze();
  else await redis.kill();
  await pause(3000);
  if (round % 2 === 0) redis.thaw();
  else await redis.start();
  await pause(1000);
  return callers.interrupted() - before;
}

/** Both servers and everything they need. */
interface Stage {
  readonly environments: readonly Environment[];
  readonly products: Product[];
  readonly databaseUrl: string;
  readonly redis: TestRedis;
  readonly url: string;
  readonly callers: Callers;
  readonly completed: Set<string>;
  readonly faults: string[];
}

async function killProduct({ products, environments }: Stage, round: number): Promise<void> {
  const index = round % products.length;
  await products[index]?.kill(false);
  products[index] = await startProduct(environments[index] ?? {});
  // Requests that the kill interrupted are counted before the next step.
  await pause(2000);
}

/**
 * Runs `work` `rounds` times beside callers with a limited key of their own. Returns the most
 * requests that the key had in a minute.
 */
async function limitedPhase(
  stage: Stage,
  title: string,
  rounds: number,
  work: (round: number) => Promise<void>,
): Promise<number> {
  const key = await makeKey(stage.environments[0] ?? {}, LIMIT);
  const callers = startCallers([stage.url], key.secret, LIMITED_CALLERS);
  for (let round = 0; round < rounds; round++) {
    await pause(500 + Math.random() * 1000);
    await work(round);
  }
  await callers.stop();
  for (const id of callers.completed) stage.completed.add(id);
  const most = await busiest(stage.databaseUrl, key.id);
  console.log(
    `${title}: ${rounds} rounds, a key with ${LIMIT} requests a minute had ${most} in its busiest`,
  );
  return most;
}

async function runPhases(stage: Stage, rounds: number): Promise<void> {
  const { faults, redis, callers } = stage;
  const mostOfKills = await limitedPhase(stage, "servers killed", rounds, (round) =>
    killProduct(stage, round),
  );
  if (mostOfKills > LIMIT)
    faults.push(`a limit of ${LIMIT} let ${mostOfKills} through while servers were killed`);
  let failed = 0;
  const mostOfRedis = await limitedPhase(
    stage,
    "Redis frozen and killed",
    rounds,
    async (round) => {
      failed += await troubleRedis(redis, round, callers);
    },
  );
  if (mostOfRedis > LIMIT)
    faults.push(`a limit of ${LIMIT} let ${mostOfRedis} through while Redis was away`);
  // Both servers are restarted within one minute and forget their counts, so each may use its share
  // again. Charges must hold all the same.
  await limitedPhase(stage, "both within one minute", rounds, async (round) => {
    await killProduct(stage, round);
    failed += await troubleRedis(redis, round, callers);
  });
  console.log(`requests that failed while Redis was away: ${failed}`);
  if (failed > 0) faults.push(`${failed} requests failed while Redis was away`);
}

async function run(
  environments: readonly Environment[],
  databaseUrl: string,
  redis: TestRedis,
  rounds: number,
): Promise<string[]> {
  const first = environments[0] ?? {};
  const { upstream, products, apiKey } = await startServers(environments);
  const address = await startRoundRobin(environments.map(({ PORT }) => Number(PORT)));
  const { url } = address;
  const callers = startCallers([url], apiKey, CALLERS);
  const stage: Stage = {
    environments,
    products,
    databaseUrl,
    redis,
    url,
    callers,
    completed: new Set(),
    faults: [],
  };
  await runPhases(stage, rounds);
  await callers.stop();
  const completed = new Set([...callers.completed, ...stage.completed]);
  await waitForNone(
    async () => (await checkCharges(databaseUrl, completed, upstream.answers)).openOperations,
  );
  const verdict = await checkCharges(databaseUrl, completed, upstream.answers);
  const faults = [...stage.faults, ...verdict.faults, ...(await auditFaults(first))];
  if (verdict.openOperations !== 0)
    faults.push(`${verdict.openOperations} operations were left open`);
  for (const product of products)
    if ((await product.stop()) !== 0) faults.push("a server did not end well on SIGTERM");
  address.close();
  await upstream.close();
  console.log(
    `two servers behind one address: ${2 * rounds} kills, ${verdict.completed} answers, ${verdict.charged} charges, ${faults.length} faults`,
  );
  for (const fault of faults.slice(0, 20)) console.error(fault);
  return faults;
}

export async function soakReplicas(rounds: number): Promise<string[]> {
  if (!hasRedis) return ["redis-server is not installed: apt-get install redis-server"];
  const folder = mkdtempSync(join(tmpdir(), "relay-replicas-"));
  const [outside, redis] = await Promise.all([
    startEmbeddedPostgres(join(folder, "outside")),
    startTestRedis(),
  ]);
  const common = {
    RELAY_SANDBOX: "off",
    RELAY_WELCOME_POINTS: "0",
    NODE_ENV: "production",
    REDIS_URL: redis.url,
  };
  const secret = "one-secret-for-both-servers-of-the-soak";
  const environments = await Promise.all(
    ["a", "b"].map(async (name) => {
      const own = { RELAY_DATA_DIR: join(folder, name), PORT: String(await freePort()) };
      return {
        ...common,
        ...own,
        DATABASE_URL: outside.url,
        DATABASE_OWNER_URL: outside.ownerUrl,
        RELAY_SECRET: secret,
      };
    }),
  );
  const faults = await run(environments, outside.url, redis, rounds);
  await redis.kill();
  await outside.stop();
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.error(`The data of the faulty run is in ${folder}`);
  return faults;
}
