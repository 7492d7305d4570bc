/**
 * `npm run bench:history -- [requests] [folder] [days]`: makes a history of requests over 400 days, or
 * so many or a part of one, with 2000 accounts, of which one has a tenth, checks it with the ledger's
 * audit, and measures what the pages read. The folder is kept if it is named, and its history is not made again.
 * `BENCH_READS` are words in the names of the only reads to measure.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onlyRow } from "@/lib/db/only-row";
import { openPool } from "@/lib/db/pool";
import { auditSealed } from "@/lib/ledger/audit/audit-sealed";
import { openHistory } from "./history-data";
import { historyReads } from "./history-reads";
import { medianOf } from "./load";
import { withPeakMemory } from "./peak-memory";

const ROUNDS = 5;
const [, , requests = "1500000", named, days = "400"] = process.argv;
const folder = named ?? mkdtempSync(join(tmpdir(), "relay-history-"));

/** Runs each read six times; the first one is shown by itself. */
async function measureReads(url: string): Promise<void> {
  const pool = openPool(url, 8);
  console.log("read                                          first    median");
  for (const [name, read] of await historyReads(pool)) {
    if (!name.includes(process.env.BENCH_READS ?? "")) continue;
    const times: number[] = [];
    let problem = "";
    for (let round = 0; round <= ROUNDS; round++) {
      const startedAt = performance.now();
      await read().catch((error: unknown) => {
        problem = String(error);
      });
      times.push(performance.now() - startedAt);
    }
    const [first = 0, ...later] = times;
    const cell = (ms: number) => `${ms.toFixed(0)} ms`.padStart(9);
    console.log(`${name.padEnd(42)}${cell(first)} ${cell(medianOf(later))} ${problem}`);
  }
  await pool.end();
}

/** The first audit seals everything that is over; the second one is what an audit costs from then on. */
async function measureAudit(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { pid } = onlyRow(await client.query<{ pid: number }>("select pg_backend_pid() as pid"));
  const audit = async (name: string, isFull: boolean) => {
    const startedAt = performance.now();
    const { result, peaks } = await withPeakMemory([process.pid, pid], () =>
      auditSealed(client, { isFull }),
    );
    const [own, postgres] = peaks.map((bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `audit ${name}: ${seconds} s, at most ${own} here and ${postgres} of its connection`,
    );
    return result.checks;
  };
  const checks = [
    ...(await audit("with sealing", false)),
    ...(await audit("once sealed", false)),
    ...(await audit("of everything", true)),
  ];
  for (const check of checks) if (!check.ok) console.log(check);
  await client.end();
  return checks.every(({ ok }) => ok);
}

const plan = {
  accounts: 2000,
  requests: Number(requests),
  days: Number(days),
  open: 200,
  seed: 14,
};
const postgres = await openHistory(folder, plan);
let isGood = false;
try {
  await measureReads(postgres.url);
  isGood = await measureAudit(postgres.ownerUrl);
  console.log(isGood ? "the audit is clean" : "THE AUDIT IS NOT CLEAN");
} finally {
  await postgres.stop();
  if (named === undefined) rmSync(folder, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);
