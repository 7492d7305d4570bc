/**
 * With an asynchronous standby a change of the primary loses writes. The servers must find it, refuse
 * the new primary until it is accepted, and name each request that is missing.
 */
import pg from "pg";
import { z } from "zod";
import { pause } from "@/lib/timing/pause";
import type { PairServer } from "@/testing/db/server-pair";
import { commandLine, printedBy } from "@/testing/stage/command-line";
import type { Server } from "@/testing/stage/server";
import { type Pair, type Run, untilServed } from "./run";

/** So many whole answers, at least, are charged where the standby does not see it. */
const LOST_ANSWERS = 40;
const WAIT_MS = 60_000;
const ALARM = "refuses a database";

const listing = z.object({
  refusals: z.array(
    z.object({
      node: z.string(),
      reason: z.string(),
      lostCount: z.int(),
      lost: z.array(z.object({ id: z.string(), what: z.string() })),
    }),
  ),
});
type Refusal = z.infer<typeof listing>["refusals"][number];

async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const since = performance.now(); !(await holds()); await pause(100))
    if (performance.now() - since > WAIT_MS) return false;
  return true;
}

/** What `database accept` lists on the machine of each server. It ends with 1 while it lists something. */
async function refusalsOf(servers: readonly Server[]): Promise<Refusal[][]> {
  return Promise.all(
    servers.map(async ({ options }) => {
      const printed = await printedBy(commandLine(options.settings), "database", "accept");
      return listing.parse(printed).refusals;
    }),
  );
}

async function query<Row extends pg.QueryResultRow>(
  { ownerUrl }: PairServer,
  text: string,
  ids: readonly string[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  return (await client.query<Row>(text, [ids]).finally(() => client.end())).rows;
}

const isEnded = "select id from request where id = any ($1::uuid[])";
const digests = `select encode(substring(request_sha256 from 1 for 8), 'hex') as sha
  from request_known where id = any ($1::uuid[])`;

export interface Loss {
  readonly faults: readonly string[];
  /** The digests of what was named as missing: its clients have it, and the ledger does not. */
  readonly named: ReadonlySet<string>;
}

/** The standby stops receiving, clients go on, and then the primary is lost. */
async function losePrimary({ address, clients }: Run, { primary, standby }: Pair): Promise<void> {
  await primary.asOwner("alter system set synchronous_standby_names = ''");
  await primary.asOwner("select pg_reload_conf()");
  await standby.kill();
  const before = clients.seen.whole;
  await until(() => clients.seen.whole - before >= LOST_ANSWERS);
  primary.signalAll("SIGKILL");
  await standby.start();
  await standby.promote();
  await address.moveTo(standby.port);
}

export async function loseWrites(run: Run, pair: Pair): Promise<Loss> {
  const { servers, relay } = run.soak;
  await losePrimary(run, pair);
  const faults: string[] = [];
  let refusals: Refusal[][] = [];
  const isRefused = await until(async () => {
    refusals = await refusalsOf(servers);
    return refusals.every((each) => each.length > 0);
  });
  if (!isRefused) faults.push("not every server refused a primary that lacks its writes");
  for (const { name, product } of servers)
    if (!product.output.text.includes(ALARM))
      faults.push(`the server "${name}" refused it without an alarm`);
  const lost = refusals.flat().flatMap((refusal) => refusal.lost);
  const ids = [...new Set(lost.filter(({ what }) => what !== "credit").map(({ id }) => id))];
  if (ids.length === 0) faults.push("nothing was named as missing");
  for (const { id } of await query(pair.standby, isEnded, ids))
    faults.push(`the request ${id} was named as missing, and is there`);
  await relay("database", "accept", "--yes");
  const backMs = Math.round(await untilServed(run.soak, run.clients));
  console.log(
    `asynchronous standby: ${ids.length} requests were named as missing; accepted, served again after ${backMs} ms`,
  );
  // What the lost primary had of them, which only its own files tell.
  await pair.primary.kill();
  await pair.primary.start();
  const rows = await query<{ sha: string }>(pair.primary, digests, ids);
  await pair.primary.kill();
  pair.primary = pair.standby;
  return { faults, named: new Set(rows.map(({ sha }) => sha)) };
}
