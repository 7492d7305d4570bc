/**
 * `npm run bench:upgrade -- [requests] [days]`: makes a database of release 0.1.0 with a history of
 * requests, sealed and in the sums, and measures its upgrade. The log tells the rate of each step.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { loadReleaseBefore, writeRequestsBefore } from "@/testing/db/release-before-dump";
import { writeHistory } from "@/testing/ledger/history";

const ACCOUNTS = 2000;
const [, , requests = "5000000", days = "400"] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "relay-upgrade-"));
const secondsSince = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Beside the six that the dump has. */
const accountsSql = `
  with a as (
    insert into account (id) select 'acct_history_' || i from generate_series(7, ${ACCOUNTS}) i
      returning id
  )
  insert into api_key (id, account_id, name, key_hash, hint)
    select 'key_' || id || '_' || k, id, 'key', sha256((id || k)::bytea), 'hint'
      from a, generate_series(1, 3) k`;
const walletsSql = `
  select count(ledger_credit(id, 'grant', 'history:' || id, 1000000000000000, 'history', 'system'))
    from (select id, ledger_open_wallet(id) from account a
           where not exists (select from wallet w where w.account_id = a.id) order by id) a`;

/** As the processes of that release did. */
async function countAndSeal(owner: pg.Client): Promise<void> {
  const repeat = async (call: string, last: string) => {
    for (;;) {
      const { rows } = await owner.query<{ done: string | null }>(`select ${call}::text as done`);
      if ((rows[0]?.done ?? last) === last) return;
    }
  };
  await repeat("usage_count_waiting(2000)", "0");
  await owner.query("select ledger_seal_announce()");
  await repeat("ledger_seal_piece(10000)", "0");
  await repeat("ledger_seal_day()", "");
}

const postgres = await startEmbeddedPostgres(folder);
try {
  const owner = new pg.Client({ connectionString: postgres.ownerUrl });
  await owner.connect();
  await loadReleaseBefore(owner);
  await owner.query(accountsSql);
  await owner.query(walletsSql);
  let at = performance.now();
  await writeHistory(
    owner,
    {
      accounts: ACCOUNTS,
      requests: Number(requests),
      days: Number(days),
      open: 1000,
      seed: 1,
      writeSql: writeRequestsBefore,
    },
    () => {},
    1,
  );
  console.log(`${requests} requests were written in ${secondsSince(at)}`);
  at = performance.now();
  await countAndSeal(owner);
  await owner.query("vacuum analyze");
  console.log(`they were counted and sealed in ${secondsSince(at)}`);
  at = performance.now();
  await applyMigrations(postgres.ownerUrl, process.cwd(), { applicationRole: APPLICATION_ROLE });
  console.log(`the upgrade took ${secondsSince(at)}`);
  await owner.end();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
