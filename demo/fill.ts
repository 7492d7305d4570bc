/**
 * Writes the history of a demo: everything in the order of its time, by the product's own functions,
 * on a database of its own whose clock is set to the past.
 */
import pg from "pg";
import { auditSealed } from "@/lib/ledger/audit-sealed";
import { countAll } from "@/lib/ledger/usage-counter";
import { log } from "@/lib/log";
import { seedPrices } from "@/lib/price-book/set-price";
import { startTestStripe } from "@/testing/topup/stripe";
import { addChannels } from "./business/channels";
import { addMoney } from "./business/money";
import { addOperating } from "./business/operating";
import { addPeople } from "./business/people";
import { addSite } from "./business/site";
import { addTeam, notePlayground } from "./business/team";
import { type OpenDemo, openDemo } from "./open-demo";
import type { PlanOptions } from "./orders";
import { planOrders } from "./plan";
import { createRandom } from "./random";
import { drawResults } from "./result-files";
import { DAY, HISTORY_DAYS, HOUR, momentOf } from "./rhythm";
import { addResults } from "./write-results";
import { TextWriter } from "./write-texts";
import { Writing } from "./writing";

interface FillOptions extends PlanOptions {
  readonly folder: string;
  readonly projectFolder: string;
  /** Where the demo's channels are answered while it is served. */
  readonly upstreamOrigin: string;
  /** Called about once for each day of the history. */
  readonly onProgress: (said: { day: string; share: number }) => void;
}

interface FilledDemo {
  readonly requests: number;
  readonly results: number;
}

/** Takes the steps in order, and writes the chat requests between them. */
async function replay(
  writing: Writing,
  texts: TextWriter,
  onProgress: FillOptions["onProgress"],
): Promise<void> {
  const { demo, given, timeline } = writing;
  const start = momentOf(given.end, HISTORY_DAYS, 0);
  let day = "";
  for (let step = timeline.take(); step !== undefined; step = timeline.take()) {
    await texts.writeUntil(step.at);
    if (step.run !== null) {
      await demo.clock.set(step.at);
      await step.run();
    }
    const today = new Date(step.at).toISOString().slice(0, 10);
    if (today === day) continue;
    day = today;
    onProgress({ day, share: (step.at - start) / (given.end - start) });
  }
  await texts.writeUntil(given.end + HOUR);
  await demo.clock.set(given.end);
  await writing.writeLastUses();
}

/**
 * Divides the history, so that chat requests are written before too many of them hold points at
 * once. At midnight prices may change.
 */
function addParts(writing: Writing, scale: number): void {
  const { end } = writing.given;
  const hours = scale > 0.3 ? 2 : 12;
  for (let at = momentOf(end, HISTORY_DAYS, 0); at < end; at += hours * HOUR)
    writing.timeline.add(at, at % DAY === 0 ? () => writing.readPrices() : null);
}

async function write(demo: OpenDemo, options: FillOptions): Promise<FilledDemo> {
  const { end, seed, upstreamOrigin, onProgress } = options;
  const orders = planOrders(options);
  const textOrders = orders.filter((order) => order.family === "text");
  const resultOrders = orders.filter((order) => order.family !== "text");
  const payments = await startTestStripe();
  const random = createRandom(`${seed} writing`);
  const writing = new Writing({ demo, random, end, payments, upstreamOrigin });
  const files = drawResults(writing, orders);
  try {
    await seedPrices(demo.pool);
    for (const add of [addPeople, addChannels, addMoney, addOperating, addSite, addTeam])
      add(writing);
    addParts(writing, options.scale);
    addResults(writing, files, resultOrders);
    await replay(writing, new TextWriter(writing, textOrders), onProgress);
    return { requests: textOrders.length, results: resultOrders.length };
  } finally {
    await files.close();
    await payments.close();
  }
}

/** Seals the days that are over. Throws when the audit of everything finds anything. */
async function assertAudited(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { checks } = await auditSealed(client, { isFull: true }).finally(() => client.end());
  const broken = checks.filter(({ ok }) => !ok);
  if (broken.length > 0)
    throw new Error(
      `The demo's ledger does not add up: ${broken.map(({ name, detail }) => `${name} (${detail})`).join("; ")}`,
    );
}

export async function fillDemo(options: FillOptions): Promise<FilledDemo> {
  log.level = "error";
  const { folder, projectFolder, end } = options;
  const demo = await openDemo(folder, projectFolder, momentOf(end, HISTORY_DAYS, 8));
  try {
    const filled = await write(demo, options);
    await notePlayground(demo);
    await countAll(demo.pool);
    await assertAudited(demo.databaseUrl);
    return filled;
  } finally {
    await demo.close();
  }
}
