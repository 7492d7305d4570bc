/** The database of `npm run bench:history`: kept in its folder, so that it can be measured again. */
import pg from "pg";
import { APPLICATION_ROLE, type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { onlyRow } from "@/lib/db/only-row";
import { openPool } from "@/lib/db/pool";
import { countAll } from "@/lib/ledger/usage/usage-counter";
import { seedPrices } from "@/lib/price-book/set-price";
import { type HistoryPlan, writeHistory } from "@/testing/ledger/history";

const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

async function requestsIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ requests: number }>(
    "select count(*)::int as requests from request_known",
  );
  return onlyRow({ rows }).requests;
}

/** Continues after `written` requests, where it was stopped before. */
async function fill(client: pg.Client, plan: HistoryPlan, written: number): Promise<void> {
  const startedAt = performance.now();
  await writeHistory(
    client,
    plan,
    (done) => {
      if (done % 200_000 === 0) console.log(`  ${done} requests, ${seconds(startedAt)}`);
    },
    written,
  );
  console.log(`${plan.requests} requests were written in ${seconds(startedAt)}`);
  await client.query("vacuum analyze");
}

/** Counts what is in no sum yet, also after it was stopped in the middle. */
async function count(client: pg.Client): Promise<void> {
  const countedAt = performance.now();
  // Each piece looks for waiting requests. The dead rows of an interrupted count would be scanned every time.
  await client.query("vacuum usage_waiting");
  await countAll(client);
  console.log(`they were counted in the sums in ${seconds(countedAt)}`);
  await client.query("vacuum analyze");
  // A real one is emptied while it is filled; this one held every request at once.
  for (const table of ["open_request", "usage_waiting"])
    await client.query(`vacuum (full, analyze) ${table}`);
}

/** Starts the database in `folder`, and fills it, or what is missing. */
export async function openHistory(folder: string, plan: HistoryPlan): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(folder);
  await applyMigrations(postgres.ownerUrl, process.cwd(), {
    applicationRole: APPLICATION_ROLE,
  });
  const pool = openPool(postgres.url, 1);
  await seedPrices(pool).finally(() => pool.end());
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  const requests = await requestsIn(client);
  if (requests < plan.requests) await fill(client, plan, requests);
  await count(client);
  await client.end();
  return postgres;
}
