/** Limits of keys besides their lifetime budget: exact, whatever runs at the same time. */
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
import {
  countOf,
  expectTenOf,
  expectTenOnBothDays,
  holdWhile,
} from "@/testing/ledger/window-races";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import { keyLimitStates } from "./key-limits";

const { client, pool, ledgerAt } = await opened(openLedgers(extent(8, 20)));
afterEach(async () => {
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});

const CALLERS = extent(600, 2000);
const seeded = () => seedAccount(client, ledgerAt(0), 1_000_000n);

async function limit(
  { apiKeyId, accountId }: SeededAccount,
  kind: "day" | "week" | "month" | "running" | "tokens",
  amount: bigint | null,
  zone = "UTC",
) {
  const isCount = kind === "running" || kind === "tokens";
  const wanted = { kind, amount, zone: isCount ? null : zone };
  await ledgerAt(0).setKeyLimit(apiKeyId, accountId, wanted);
}

const rowsOf = async ({ apiKeyId }: SeededAccount) =>
  (
    await client.query<{ kind: string; spent: number; held: number; starts: Date; ends: Date }>(
      "select kind, spent::int, held::int, starts_at as starts, ends_at as ends from api_key_budget where api_key_id = $1 order by kind",
      [apiKeyId],
    )
  ).rows;

test("a budget of a day admits exactly what it allows, from many processes at once", async () => {
  const account = await seeded();
  await limit(account, "day", 105n);
  const holdAt = () => holdOf(account, 10n);
  await expectTenOf(CALLERS, "key_budget_exhausted", { ledgerAt, holdAt });
});

test("of several limits on one key each holds, and what they say is what is left", async () => {
  const account = await seeded();
  const { apiKeyId, accountId } = account;
  await ledgerAt(0).setKeyBudget(apiKeyId, accountId, 1000n);
  await limit(account, "month", 70n);
  await limit(account, "week", 500n, "Asia/Shanghai");
  await limit(account, "day", 200n, "Europe/Berlin");
  await limit(account, "running", 40n);
  const hold = holdOf(account, 30n);
  expect(await ledgerAt(0).openHold(hold)).toEqual({
    result: "held",
    amount: 30n,
    rooms: [
      { kind: "lifetime", left: 970n },
      { kind: "month", left: 40n },
      { kind: "week", left: 470n },
      { kind: "day", left: 170n },
      { kind: "running", left: 39n },
    ],
  });
  // Cut to what the narrowest has left.
  const cut = await ledgerAt(1).openHold(holdOf(account, 90n, { holdAmountMin: 1n }));
  expect(cut).toMatchObject({ result: "held", amount: 40n });
  expect(await ledgerAt(2).openHold(holdOf(account, 1n))).toMatchObject({
    result: "key_budget_exhausted",
    remaining: 0n,
    renewal: { period: "month" },
  });
  await ledgerAt(3).settle(settleOf(hold, 10n));
  const states = await keyLimitStates(pool, accountId, apiKeyId);
  expect(states.map(({ kind, spent, held, left }) => [kind, spent, held, left])).toEqual([
    ["day", 10n, 40n, 150n],
    ["week", 10n, 40n, 450n],
    ["month", 10n, 40n, 20n],
    ["running", 0n, 1n, 39n],
  ]);
});

test("over the renewal at midnight both days admit exactly what they allow, and each keeps its own", async () => {
  const account = await seeded();
  await expectTenOnBothDays({
    ...{ client, ledgerAt, milliseconds: 1250 },
    holdAt: () => holdOf(account, 10n),
    set: (zone) => limit(account, "day", 100n, zone),
    rows: () => rowsOf(account),
  });
}, 20_000);

test("a limit that is set, lifted and moved while requests run counts each of them once or not at all", async () => {
  const account = await seeded();
  const zones = ["UTC", "Europe/Berlin", "Pacific/Kiritimati"];
  const change = async (turn: number) => {
    await limit(account, "day", turn % 3 === 2 ? null : 1_000_000n, zones[turn % 4]);
    await limit(account, "running", turn % 5 === 4 ? null : 1000n);
  };
  await holdWhile(change, { ledgerAt, holdAt: () => holdOf(account, 10n) });
  for (const { held } of await rowsOf(account)) expect(held).toBe(0);
}, 20_000);

test("a hold that was open before its limit was set, or set anew, counts in none of its windows", async () => {
  const account = await seeded();
  const [first, second] = [holdOf(account, 10n), holdOf(account, 10n)];
  await ledgerAt(0).openHold(first);
  await limit(account, "day", 100n);
  await limit(account, "running", 2n);
  await ledgerAt(0).openHold(second);
  expect(await rowsOf(account)).toMatchObject([{ held: 10 }, { kind: "running", held: 2 }]);
  await limit(account, "day", null);
  await limit(account, "day", 100n);
  await ledgerAt(1).settle(settleOf(first, 3n));
  await ledgerAt(1).settle(settleOf(second, 3n));
  expect(await rowsOf(account)).toMatchObject([
    { spent: 0, held: 0 },
    { spent: 0, held: 0 },
  ]);
});

test("a zone may change without anything counted being lost", async () => {
  const account = await seeded();
  await limit(account, "day", 100n);
  const hold = holdOf(account, 60n);
  await ledgerAt(0).openHold(hold);
  await limit(account, "day", 80n, "Asia/Kathmandu");
  expect(await ledgerAt(1).openHold(holdOf(account, 30n))).toMatchObject({ remaining: 20n });
  await ledgerAt(1).settle(settleOf(hold, 60n));
  expect(await rowsOf(account)).toMatchObject([{ spent: 60, held: 0 }]);
  await expect(limit(account, "day", 80n, "Europe/Nowhere")).rejects.toThrow(/time zone/);
});

test("requests at once are bounded over all processes, and each end makes room for one", async () => {
  const account = await seeded();
  await limit(account, "running", 5n);
  const holds = Array.from({ length: 300 }, () => holdOf(account, 1n));
  const results = await Promise.all(holds.map((hold, at) => ledgerAt(at).openHold(hold)));
  expect([countOf(results, "held"), countOf(results, "key_running")]).toEqual([5, 295]);
  expect(results.find(({ result }) => result === "key_running")).toMatchObject({ max: 5 });
  const running = holds.filter((_, at) => results[at]?.result === "held");
  await ledgerAt(0).release(releaseOf(running[0] ?? holdOf(account, 1n)));
  await ledgerAt(0).settle(settleOf(running[1] ?? holdOf(account, 1n), 1n));
  // An end that comes twice makes room once.
  await ledgerAt(1).release(releaseOf(running[0] ?? holdOf(account, 1n)));
  const more = await Promise.all(
    Array.from({ length: 50 }, (_, at) => ledgerAt(at).openHold(holdOf(account, 1n))),
  );
  expect(countOf(more, "held")).toBe(2);
});

test("a minute whose tokens are used admits nothing more, and the next one does", async () => {
  const account = await seeded();
  await limit(account, "tokens", 100n);
  const [one, two] = [holdOf(account, 200n), holdOf(account, 200n)];
  await ledgerAt(0).openHold(one);
  await ledgerAt(1).openHold(two);
  await ledgerAt(0).settle(settleOf(one, 60n));
  expect(await ledgerAt(0).openHold(holdOf(account, 1n))).toMatchObject({
    rooms: [{ kind: "tokens", left: 40n }],
  });
  // What runs already may pass the limit.
  await ledgerAt(1).settle(settleOf(two, 60n));
  const refused = await ledgerAt(2).openHold(holdOf(account, 1n));
  expect(refused).toMatchObject({ result: "key_tokens", max: 100 });
  if (refused.result !== "key_tokens") throw new Error("it was not refused");
  const wait = refused.renewsAt.getTime() - Date.now();
  expect([wait > -1000, wait <= 61_000]).toEqual([true, true]);
  // A minute later.
  await client.query("alter table api_key_budget disable trigger api_key_budget_bound");
  await client.query(
    "update api_key_budget set starts_at = starts_at - interval '1 minute', ends_at = ends_at - interval '1 minute' where api_key_id = $1",
    [account.apiKeyId],
  );
  await client.query("alter table api_key_budget enable trigger api_key_budget_bound");
  expect(await ledgerAt(0).openHold(holdOf(account, 1n))).toMatchObject({ result: "held" });
});

test.each([
  ["spent", "spent = spent + 1", /key's budget/],
  ["holds", "held = held + 1", /key's budget/],
])("the audit finds a window's %s that drift", async (_, change, told) => {
  const account = await seeded();
  await limit(account, "week", 100n);
  const hold = holdOf(account, 10n);
  await ledgerAt(0).openHold(hold);
  await client.query("begin");
  await client.query(`update api_key_budget set ${change} where api_key_id = $1`, [
    account.apiKeyId,
  ]);
  await client.query("commit");
  const broken = (await auditLedger(client)).checks.filter(({ ok }) => !ok);
  expect(broken.map(({ name }) => name).join()).toMatch(told);
  await limit(account, "week", null);
});
