/**
 * `npm run bench:snapshot -- [seconds] [callers] [accounts]`: what a request costs PostgreSQL while
 * another transaction keeps one snapshot, as a copy of the whole database does, and dead rows cannot
 * be removed. Callers hold and settle through the ledger, and the sums are followed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { newOperationId } from "@/lib/crypto/ids";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { onlyRow } from "@/lib/db/only-row";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import { followUsage } from "@/lib/ledger/usage/usage-follower";
import { charged } from "@/testing/ledger/test-ledger";
import { parentProcess, processesSeconds, processTree } from "@/testing/stage/processes";

const [, , seconds = "60", callers = "16", accounts = "50"] = process.argv;
const QUIET_SECONDS = 20;
const STEP_SECONDS = 10;
const CREDIT = 10n ** 15n;

async function seed(owner: pg.Client, ledger: OpenLedger): Promise<string> {
  for (let i = 1; i <= Number(accounts); i++) {
    const accountId = `acct_snapshot_${i}`;
    await owner.query("insert into account (id) values ($1)", [accountId]);
    await ledger.openWallet(accountId);
    const entry = { kind: "grant", ref: accountId, reason: "bench", actor: "system" } as const;
    await ledger.credit({ accountId, amount: CREDIT, ...entry });
  }
  const price = await owner.query<{ id: string }>(
    `insert into price_version (model, input_price, output_price, created_by, effective_at)
       values ('bench', 1000000, 2000000, 'bench', '2026-01-01') returning id`,
  );
  return onlyRow(price).id;
}

async function request(ledger: OpenLedger, priceVersionId: string): Promise<void> {
  const accountId = `acct_snapshot_${1 + Math.floor(Math.random() * Number(accounts))}`;
  const account = { accountId, apiKeyId: "", priceVersionId };
  const requestId = `req_${newOperationId()}`;
  const changes = { apiKeyId: null, source: "playground", model: "bench", requestId } as const;
  await charged(ledger, account, 50n, changes);
}

const folder = mkdtempSync(join(tmpdir(), "relay-snapshot-"));
const postgres = await startEmbeddedPostgres(folder);
await applyMigrations(postgres.ownerUrl, process.cwd(), {
  applicationRole: APPLICATION_ROLE,
});
const owner = new pg.Client({ connectionString: postgres.ownerUrl });
await owner.connect();
const ledger = await createLedger({
  databaseUrl: postgres.url,
  spoolFolder: join(folder, "spool"),
});
const follower = followUsage(postgres.url, console.error);
const backend = onlyRow(await owner.query<{ pid: number }>("select pg_backend_pid() as pid"));
const server = parentProcess(backend.pid);
const price = await seed(owner, ledger);

let done = 0;
let isRunning = true;
const running = Array.from({ length: Number(callers) }, async () => {
  while (isRunning) {
    await request(ledger, price);
    done++;
  }
});

async function measure(what: string, length: number): Promise<void> {
  for (let at = 0; at < length; at += STEP_SECONDS) {
    const [before, requests] = [processesSeconds(processTree(server)), done];
    await new Promise((resolve) => setTimeout(resolve, STEP_SECONDS * 1000));
    const spent = processesSeconds(processTree(server)) - before;
    const each = (spent / (done - requests)) * 1e6;
    const second = `${at + STEP_SECONDS} s`.padStart(6);
    console.log(
      `${what.padEnd(18)} ${second}: ${each.toFixed(0).padStart(5)} µs, ${((done - requests) / STEP_SECONDS).toFixed(0)} a second`,
    );
  }
}

try {
  await measure("no snapshot", QUIET_SECONDS);
  const holder = new pg.Client({ connectionString: postgres.url });
  await holder.connect();
  await holder.query("begin isolation level repeatable read read only; select 1");
  await measure("one snapshot", Number(seconds));
  await holder.end();
  await measure("after it", QUIET_SECONDS);
} finally {
  isRunning = false;
  await Promise.allSettled(running);
  await follower.close();
  await ledger.close();
  await owner.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
