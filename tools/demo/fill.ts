/**
 * Writes the history of a demo in the order of its time, on a database of its own whose clock is
 * set to the past: what the named people do by the product's own functions, and the mass of
 * requests by SQL.
 */
import { makeDueInvoices } from "@/lib/commands/invoices";
import { connectAndRunAudit } from "@/lib/ledger/audit/audit-runs";
import { countAll } from "@/lib/ledger/usage/usage-counter";
import { seedPrices } from "@/lib/price-book/set-price";
import { log } from "@/lib/process/log";
import { invoiceFiguresOf } from "@/lib/queries/invoice-figures";
import { analyzeRequests } from "@/testing/ledger/history";
import { startTestStripe } from "@/testing/topup/stripe";
import { addStories } from "./business/stories";
import { drawResults, keepResults } from "./kept-results";
import { type OpenDemo, openDemo } from "./open-demo";
import type { PlanOptions } from "./plan";
import { planRequests, writeHealth } from "./requests";
import { DAY, startOf } from "./times";
import { Writing } from "./writing";

interface FillOptions extends PlanOptions {
  readonly folder: string;
  readonly projectFolder: string;
  /** Where the demo's channels are answered while it is served. */
  readonly upstreamOrigin: string;
  /** Called once for each day of the history. */
  readonly onProgress: (said: { day: string; share: number }) => void;
}

/** Takes the steps in order, and writes the requests of a day when it is over. */
async function replay(
  writing: Writing,
  drawn: ReturnType<typeof drawResults>,
  onProgress: FillOptions["onProgress"],
): Promise<void> {
  const { demo, given, timeline } = writing;
  const start = startOf(given.end);
  for (let at = start + DAY; at < given.end; at += DAY)
    timeline.add(at, async () => {
      await writing.writeRequests();
      const day = new Date(at).toISOString().slice(0, 10);
      onProgress({ day, share: (at - start) / (given.end - start) });
    });
  timeline.add(given.end - 3000, () => writing.writeRequests(true));
  addStories(writing);
  await keepResults(writing, drawn);
  for (let step = timeline.take(); step !== undefined; step = timeline.take()) {
    await demo.clock.set(step.at);
    await step.run();
  }
  await demo.clock.set(given.end);
  await writeHealth(demo, given.end);
}

/** Counts the sums and seals the days that are over. Throws when the audit finds anything. */
async function assertAudited({ databaseUrl, owner, pool }: OpenDemo): Promise<void> {
  await analyzeRequests(owner);
  await countAll(pool);
  const { checks } = await connectAndRunAudit(databaseUrl, "system");
  const broken = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name} (${detail})`);
  if (broken.length > 0) throw new Error(`The demo's ledger does not add up: ${broken.join("; ")}`);
}

/** Returns how many requests there are. */
export async function fillDemo(options: FillOptions): Promise<number> {
  log.level = "error";
  const { folder, projectFolder, end, upstreamOrigin, onProgress } = options;
  const drawn = drawResults();
  const demo = await openDemo(folder, projectFolder, startOf(end));
  try {
    const payments = await startTestStripe();
    const writing = new Writing({ demo, end, payments, upstreamOrigin });
    try {
      await seedPrices(demo.pool);
      await planRequests(demo, options);
      await replay(writing, drawn, onProgress);
    } finally {
      await payments.close();
    }
    await assertAudited(demo);
    await makeDueInvoices(demo, { figuresOf: invoiceFiguresOf });
    return writing.requests;
  } finally {
    await drawn.close();
    await demo.close();
  }
}
