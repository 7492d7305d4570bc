/** Limits by day, week and month whose window began in a month that is only in files. */
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { dropMonth } from "@/testing/ledger/drop-month";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { onlyRow } from "../db/only-row";
import { transact } from "../db/transaction";
import { type Month, monthsToArchive } from "../ledger/archive/archive-register";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { sealLedger } from "../ledger/audit/seal";
import { openFolderStore } from "../media/folder-store";
import { archiveMonth } from "./archive-month";

const url = await createTestDatabase();
const owner = await opened(connect(url));
let month: Month;
const folder = newFolder("dropped-windows");

beforeAll(async () => {
  await seedHistory(owner, url, { requests: 1500, days: 160, accounts: 3, open: 0 });
  [month] = (await monthsToArchive(owner)).slice(1) as [Month];
  await sealLedger(owner);
  await setBudgets();
}, 120_000);

/** A key's limit and a member's that were last used in the month, from the middle of an hour on. */
async function setBudgets(): Promise<void> {
  const { key, account, starts } = onlyRow(
    await owner.query<{ key: string; account: string; starts: Date }>(
      `select api_key_id as key, account_id as account, created_at as starts from request
        where id >= $1 and id < $2 and amount > 0 and api_key_id is not null and created_at > date_trunc('hour', created_at) + interval '1 minute'
        order by id limit 1`,
      [month.starts, month.below],
    ),
  );
  await owner.query(
    `insert into api_key_budget (api_key_id, account_id, kind, budget, spent, zone, starts_at, ends_at)
       select $1, $2, 'month', 1000000000000000, sum(amount), 'UTC', $3, $3::timestamptz + interval '300 days'
         from request where api_key_id = $1 and created_at >= $3`,
    [key, account, starts],
  );
  await owner.query(
    `insert into playground_operation (operation_id, account_id, user_id, created_at)
       select id, account_id, 'user_played', created_at from request
        where account_id = $1 and api_key_id is null and id >= $2 and id < $3`,
    [account, month.starts, month.below],
  );
  await owner.query(
    `insert into member_budget (account_id, user_id, kind, budget, spent, zone, starts_at, ends_at)
       select $1, 'user_played', 'month', 1000000000000000, sum(r.amount), 'UTC', $2::date, $2::date + interval '1 month'
         from playground_operation p join request r on r.id = p.operation_id where p.user_id = 'user_played'`,
    [account, month.day],
  );
  await owner.query(
    "update wallet set has_limits = true, version = version + 1 where account_id = $1",
    [account],
  );
}

const broken = async () =>
  (await auditSealed(owner)).checks.filter(({ ok }) => !ok).map(({ name }) => name);
/** Around the rule that spent points are never taken back. */
const spentMore = (more: number) =>
  transact(owner, async () => {
    await owner.query("set local session_replication_role = replica");
    for (const table of ["api_key_budget", "member_budget"])
      await owner.query(`update ${table} set spent = spent + $1`, [more]);
  });
const rules = [
  "every key's budget counts what the key spent and holds: in its lifetime, or in what was opened in its window",
  "every member's budget counts what the member spent and holds of what was opened in its window",
];

test("while the requests are there, what was spent in an old window is compared with them", async () => {
  expect(await broken()).toEqual([]);
  await spentMore(1);
  expect((await broken()).sort()).toEqual(rules);
  await spentMore(-1);
});

test("once they are only in files the daily audit does not report the window, whose requests it cannot read", async () => {
  await archiveMonth(owner, await openFolderStore(folder), month);
  await dropMonth(owner, month);
  expect(await broken()).toEqual([]);
});

test("what such a window says to hold is still compared, and a lifetime limit is counted as before", async () => {
  await owner.query("update member_budget set held = 5");
  expect(await broken()).toEqual([rules[1]]);
  await owner.query("update member_budget set held = 0");
  await owner.query(
    `insert into api_key_budget (api_key_id, account_id, kind, budget, spent) select b.api_key_id, b.account_id, 'lifetime', 1000000000000000,
       (select sum(u.amount) from usage_day u where u.api_key_id = b.api_key_id) from api_key_budget b`,
  );
  expect(await broken()).toEqual([]);
  await owner.query("update api_key_budget set spent = spent + 1 where kind = 'lifetime'");
  expect(await broken()).toEqual([rules[0]]);
});
