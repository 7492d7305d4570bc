/**
 * A rolling upgrade from a real earlier build, and back: its processes beside today's on one
 * database, restarted and killed, with its commands as the tables' owner, while clients order.
 * Functions and rights must stay those of the newer one, both must serve, and no charge may be lost
 * or doubled. `EARLIER_RELEASE` names the folder of the earlier one, installed and built.
 */
import pg from "pg";
import { pause } from "@/lib/timing/pause";
import { commandLine, printedBy } from "@/testing/stage/command-line";
import { root } from "@/testing/stage/product";
import type { Server } from "@/testing/stage/server";
import {
  cannotRun,
  EMAIL,
  faultsOf,
  orderers,
  productFaults,
  type Soak,
  withSoak,
} from "./installation";
import { plans } from "./mixed/orders";

const CLIENTS = 8;
const SERVED_MS_MAX = 60_000;
/** What an operator may call on a machine that was not upgraded yet. Each has the owner's rights. */
const commands = [
  ["database", "migrate"],
  ["account", "list"],
  ["key", "list", "--account", EMAIL],
  ["channel", "list"],
  ["ledger", "sweep"],
];

/** Everything that an earlier release could take away: definitions, rights, and what was noted. */
const newerParts = `
select 'function ' || oid::regprocedure as name, md5(concat(oid, proacl, proconfig, prosrc)) as state
  from pg_proc where pronamespace = 'public'::regnamespace
union all
select 'trigger ' || tgname || ' on ' || tgrelid::regclass, concat(t.oid, tgenabled)
  from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and not c.relispartition
union all
select 'table ' || oid::regclass, relacl::text from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and not relispartition
union all
select 'set ' || id, md5(functions::text) from function_set
union all
select 'migration ' || migration_name, checksum from _prisma_migrations`;

type Parts = ReadonlyMap<string, string | null>;

async function partsOf({ database }: Soak): Promise<Parts> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  const { rows } = await client
    .query<{ name: string; state: string | null }>(newerParts)
    .finally(() => client.end());
  return new Map(rows.map(({ name, state }) => [name, state]));
}

const changesOf = (before: Parts, after: Parts, when: string): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${when}: ${name} is another one`);

class Rolling {
  readonly faults: string[] = [];
  readonly start: ReturnType<typeof orderers>;

  constructor(
    readonly soak: Soak,
    readonly earlier: string,
  ) {
    this.start = orderers(soak, "rolling", plans.lasting);
  }

  /** A client of this server alone must get a whole answer. */
  async serves(server: Server, when: string): Promise<void> {
    const client = this.start(2, { urls: [server.url] });
    const { seen } = client;
    const since = performance.now();
    while (seen.whole === 0 && performance.now() - since < SERVED_MS_MAX) await pause(50);
    await client.stop();
    if (seen.whole === 0)
      this.faults.push(
        `${when}: the server "${server.name}" served nothing:\n${server.product.output.text.slice(-2000)}`,
      );
  }

  async replace(server: Server, checkout: string, isKilled = false): Promise<void> {
    if (isKilled) await server.kill();
    else if ((await server.stop()) !== 0)
      this.faults.push(`the server "${server.name}" did not end well`);
    server.options = { ...server.options, checkout };
    await server.start();
  }

  /** What the earlier release does beside today's must leave the newer parts as they are. */
  async keeps(newer: Parts, when: string, work: () => Promise<unknown>): Promise<void> {
    await work();
    this.faults.push(...changesOf(newer, await partsOf(this.soak), when));
    for (const server of this.soak.servers) await this.serves(server, when);
    console.log(`${when}: ${this.faults.length} faults so far`);
  }

  async commandsOf(server: Server): Promise<void> {
    const relay = commandLine(server.options.settings, this.earlier);
    for (const words of commands)
      await printedBy(relay, ...words).catch((error: unknown) => {
        const why = error instanceof Error && "stderr" in error ? error.stderr : error;
        console.log(`the earlier "${words.join(" ")}" was refused: ${String(why).split("\n")[0]}`);
      });
  }
}

async function roll(rolling: Rolling, rounds: number): Promise<void> {
  const { soak, earlier } = rolling;
  const [one, other] = soak.servers;
  if (one === undefined || other === undefined) throw new Error("it needs two servers");
  await rolling.serves(one, "before the upgrade");
  await rolling.replace(one, root);
  const newer = await partsOf(soak);
  for (const server of soak.servers) await rolling.serves(server, "after the upgrade of one");
  for (let round = 1; round <= rounds; round++) {
    const isKilled = round % 2 === 0;
    const how = isKilled ? "killed and started" : "started";
    await rolling.keeps(newer, `the earlier one was ${how} again`, () =>
      rolling.replace(other, earlier, isKilled),
    );
    await rolling.keeps(newer, `today's was ${how} again`, () =>
      rolling.replace(one, root, isKilled),
    );
    await rolling.keeps(newer, "commands of the earlier one", () => rolling.commandsOf(other));
  }
  await rolling.keeps(newer, "all went back to the earlier one", () =>
    rolling.replace(one, earlier),
  );
  for (const server of soak.servers)
    await rolling.keeps(newer, "one more upgrade", () => rolling.replace(server, root));
}

/** `rounds`: how often each of both is started again beside the other. */
export async function soakRolling(rounds: number): Promise<string[]> {
  const earlier = process.env.EARLIER_RELEASE;
  if (earlier === undefined) {
    return cannotRun("EARLIER_RELEASE names no folder of an earlier release that is built");
  }
  const place = { checkout: earlier, spawn: { detached: true } };
  const options = {
    checkout: earlier,
    database: "shared",
    servers: { one: place, other: place },
  } as const;
  return withSoak(options, async (soak) => {
    const rolling = new Rolling(soak, earlier);
    const clients = rolling.start(CLIENTS);
    await roll(rolling, rounds).finally(() => clients.stop());
    // The earlier one audits below.
    const relay = commandLine(soak.settings, root);
    rolling.faults.push(...(await productFaults({ ...soak, relay })));
    return faultsOf(soak, `an upgrade from ${earlier} with ${rounds} rounds`, rolling.faults);
  });
}
