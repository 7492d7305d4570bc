/** Budgets of tags: exact, whatever runs at the same time, and free for requests without one. */
import { afterEach, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import {
  holdOf,
  openLedgers,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { countOf, expectTenOf } from "@/testing/ledger/window-races";
import { opened } from "@/testing/unit/opened";
import { inDatabaseTransaction } from "../../db/transaction";
import { auditLedger } from "../audit/audit";
import { countAll } from "../usage/usage-counter";
import { setTagBudget, tagBudgetStates } from "./tag-budgets";

const { client, pool, database, ledgerAt } = await opened(openLedgers(extent(4, 12)));
afterEach(async () => {
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});

const CALLERS = extent(200, 900);
const team = { name: "team", value: "a, b=c" };
const tagged = { [team.name]: team.value };

const budget = (
  { accountId }: SeededAccount,
  amount: bigint | null,
  tag = team,
  period: "day" | "week" | "month" = "day",
  max = 100,
) =>
  inDatabaseTransaction(database, (transaction) =>
    setTagBudget(transaction, accountId, tag, { period, amount, zone: "UTC" }, max),
  );
const statesOf = async ({ accountId }: SeededAccount) =>
  (await tagBudgetStates(pool, accountId)).map(({ value, period, spent, held, left }) => [
    value,
    period,
    spent,
    held,
    left,
  ]);

test("a tag's budget of a day admits exactly what it allows, from many processes at once, and nothing else is refused", async () => {
  const account = await seedAccount(client, ledgerAt(0), 1_000_000n);
  await budget(account, 105n);
  const holdAt = (at: number) => holdOf(account, 10n, { tags: { ...tagged, job: String(at) } });
  const refused = await expectTenOf(CALLERS, "tag_budget_exhausted", { ledgerAt, holdAt });
  expect(refused).toMatchObject({ tag: team });
  const others = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      ledgerAt(at).openHold(holdOf(account, 10n, at % 2 === 0 ? {} : { tags: { team: "b" } })),
    ),
  );
  expect(countOf(others, "held")).toBe(60);
});

test("each budget of a request's tags holds; an end gives back what was held and counts what was spent", async () => {
  const account = await seedAccount(client, ledgerAt(0), 1_000_000n);
  const job = { name: "job", value: "7" };
  await budget(account, 100n);
  await budget(account, 500n, team, "month");
  await budget(account, 60n, job);
  const open = (tags: Record<string, string>, amount = 40n) => {
    const hold = holdOf(account, amount, { tags });
    return { hold, result: ledgerAt(0).openHold(hold) };
  };
  const first = open({ ...tagged, job: "7" });
  expect(await first.result).toMatchObject({ result: "held", amount: 40n });
  const cut = holdOf(account, 40n, { tags: { ...tagged, job: "7" }, holdAmountMin: 1n });
  expect(await ledgerAt(1).openHold(cut)).toMatchObject({ result: "held", amount: 20n });
  expect(await open({ job: "7" }).result).toMatchObject({
    result: "tag_budget_exhausted",
    tag: job,
  });
  await ledgerAt(0).settle(settleOf(first.hold, 25n));
  await ledgerAt(1).release(releaseOf(cut));
  expect(await statesOf(account)).toEqual([
    ["7", "day", 25n, 0n, 35n],
    [team.value, "day", 25n, 0n, 75n],
    [team.value, "month", 25n, 0n, 475n],
  ]);
  await countAll(pool);
  expect(await statesOf(account)).toHaveLength(3);
});

test("a window that is over counts no more, and what was opened in it ends without touching the next", async () => {
  const account = await seedAccount(client, ledgerAt(0), 1_000_000n);
  await budget(account, 100n);
  const before = holdOf(account, 90n, { tags: tagged });
  expect((await ledgerAt(0).openHold(before)).result).toBe("held");
  await client.query("update tag_budget set ends_at = clock_timestamp() where account_id = $1", [
    account.accountId,
  ]);
  const after = holdOf(account, 95n, { tags: tagged });
  expect((await ledgerAt(1).openHold(after)).result).toBe("held");
  await ledgerAt(0).settle(settleOf(before, 80n));
  expect(await statesOf(account)).toEqual([[team.value, "day", 0n, 95n, 5n]]);
});

test("an account has only so many budgets, a lifted one makes room, and without any nothing is looked up", async () => {
  const account = await seedAccount(client, ledgerAt(0), 1_000_000n);
  const hasLimits = async () =>
    (await client.query("select has_limits from wallet where account_id = $1", [account.accountId]))
      .rows[0].has_limits;
  expect(await budget(account, 10n, team, "day", 2)).toBe(true);
  expect(await budget(account, 10n, team, "week", 2)).toBe(true);
  expect(await budget(account, 10n, team, "month", 2)).toBe(false);
  expect(await budget(account, 20n, team, "week", 2)).toBe(true);
  expect(await budget(account, null, team, "day", 2)).toBe(true);
  expect(await budget(account, 10n, team, "month", 2)).toBe(true);
  expect(await hasLimits()).toBe(true);
  await budget(account, null, team, "week");
  await budget(account, null, team, "month");
  expect(await hasLimits()).toBe(false);
});

test("tags are kept with the request and in the sums of its hour, apart for each set", async () => {
  const account = await seedAccount(client, ledgerAt(0), 1_000_000n);
  const ends = [tagged, tagged, { team: "b" }, null].map(async (tags) => {
    const hold = holdOf(account, 10n, { tags });
    await ledgerAt(0).openHold(hold);
    await ledgerAt(0).settle(settleOf(hold, 4n));
    return hold.operationId;
  });
  const ids = await Promise.all(ends);
  await countAll(pool);
  const { rows } = await client.query(
    "select tags, settled::int, amount::int from usage_hour where account_id = $1 order by amount desc, tags nulls last",
    [account.accountId],
  );
  expect(rows).toEqual([
    { tags: tagged, settled: 2, amount: 8 },
    { tags: { team: "b" }, settled: 1, amount: 4 },
    { tags: null, settled: 1, amount: 4 },
  ]);
  const kept = await client.query("select tags from request where id = $1", [ids[0]]);
  expect(kept.rows).toEqual([{ tags: tagged }]);
});
