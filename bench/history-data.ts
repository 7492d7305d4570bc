/** The database of `npm run bench:history`: kept in its folder, so that it can be measured again. */
import { join } from "node:path";
import pg from "pg";
import { APPLICATION_ROLE, type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { openPool } from "@/lib/db/pool";
import { countAll } from "@/lib/ledger/usage-counter";
import { seedPrices } from "@/lib/price-book/set-price";
import { type HistoryPlan, writeHistory } from "@/testing/ledger/history";

const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Returns whether there are accounts already. */
async function isFilled(client: pg.Client): Promise<boolean> {
  return (await client.query("select from account limit 1")).rowCount !== 0;
}

async function fill(client: pg.Client, plan: HistoryPlan): Promise<void> {
  const startedAt = performance.now();
  await writeHistory(client, plan, (done) => {
    if (done % 200_000 === 0) console.log(`  ${done} requests, ${seconds(startedAt)}`);
  });
  console.log(`${plan.requests} requests were written in ${seconds(startedAt)}`);
  await client.query("vacuum analyze");
  const countedAt = performance.now();
  await countAll(client);
  console.log(`they were counted in the sums in ${seconds(countedAt)}`);
  await client.query("vacuum analyze");
  // A real one is emptied while it is filled; this one held every request at once.
  for (const table of ["open_operation", "usage_waiting"])
    await client.query(`vacuum (full, analyze) ${table}`);
}

/** Starts the database in `folder`, and fills it if it is empty. */
export async function openHistory(folder: string, plan: HistoryPlan): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(folder);
  await applyMigrations(postgres.ownerUrl, join(process.cwd(), "prisma/migrations"), {
    applicationRole: APPLICATION_ROLE,
  });
  const pool = openPool(postgres.url, 1);
  await seedPrices(pool).finally(() => pool.end());
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  if (!(await isFilled(client))) await fill(client, plan);
  await client.end();
  return postgres;
}
