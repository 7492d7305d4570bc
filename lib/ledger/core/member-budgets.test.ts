/** Budgets of members: exact, whatever runs at the same time, over all that a member orders. */
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
import { inDatabaseTransaction } from "../../db/transaction";
import { auditLedger } from "../audit/audit";
import { memberBudgetStates, setMemberBudget } from "./member-budgets";
import type { HoldRequest } from "./verbs";

const { client, pool, database, ledgerAt } = await opened(openLedgers(extent(8, 20)));
afterEach(async () => {
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});

const CALLERS = extent(300, 900);

interface Team extends SeededAccount {
  readonly owner: string;
  readonly member: string;
  /** Two keys of the member, and one of the owner. */
  readonly keys: readonly [string, string];
  readonly ownersKey: string;
}

async function newTeam(): Promise<Team> {
  const account = await seedAccount(client, ledgerAt(0), 1_000_000n);
  const { accountId } = account;
  const user = async (role: string) => {
    const id = `user_${crypto.randomUUID()}`;
    const own = role === "owner" ? accountId : `acct_${crypto.randomUUID()}`;
    if (role !== "owner") await client.query("insert into account (id) values ($1)", [own]);
    await client.query(`insert into "user" (id, email, account_id) values ($1, $2, $3)`, [
      id,
      `${id}@example.com`,
      own,
    ]);
    await client.query(
      "insert into account_member (account_id, user_id, role) values ($1, $2, $3) on conflict do nothing",
      [accountId, id, role],
    );
    return id;
  };
  const key = async (maker: string) => {
    const id = `key_${crypto.randomUUID()}`;
    await client.query(
      "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'test', sha256($3), 'hint', $4)",
      [id, accountId, Buffer.from(id), maker],
    );
    return id;
  };
  const [owner, member] = [await user("owner"), await user("developer")];
  const keys = [await key(member), await key(member)] as const;
  return { ...account, owner, member, keys, ownersKey: await key(owner) };
}

type Period = "day" | "week" | "month";
const budget = (
  { accountId, member }: Team,
  period: Period,
  amount: bigint | null,
  zone = "UTC",
): Promise<void> =>
  inDatabaseTransaction(database, (transaction) =>
    setMemberBudget(transaction, { accountId, userId: member }, { period, amount, zone }),
  );

/** A hold of the member: with the keys in turn, and every third in the playground, noted first. */
async function memberHold(team: Team, amount: bigint, at: number): Promise<HoldRequest> {
  if (at % 3 < 2) return holdOf(team, amount, { apiKeyId: team.keys[at % 3] ?? null });
  const hold = holdOf(team, amount, { apiKeyId: null, source: "playground" });
  await pool.query(
    "insert into playground_operation (operation_id, account_id, user_id) values ($1, $2, $3)",
    [hold.operationId, team.accountId, team.member],
  );
  return hold;
}

const rowsOf = async ({ accountId, member }: Team) =>
  (
    await client.query<{ kind: string; spent: number; held: number; starts: Date; ends: Date }>(
      "select kind, spent::int, held::int, starts_at as starts, ends_at as ends from member_budget where account_id = $1 and user_id = $2 order by kind",
      [accountId, member],
    )
  ).rows;

test("a member's budget of a day admits exactly what it allows, over keys and playground, from many processes at once", async () => {
  const team = await newTeam();
  await budget(team, "day", 105n);
  const holdAt = (at: number) => memberHold(team, 10n, at);
  await expectTenOf(CALLERS, "member_budget_exhausted", { ledgerAt, holdAt });
  // Others of the account go on, also in one batch with the member.
  const others = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      ledgerAt(at).openHold(holdOf(team, 10n, { apiKeyId: team.ownersKey })),
    ),
  );
  expect(countOf(others, "held")).toBe(60);
});

test("of a key's limits and its maker's budgets each holds, and what they say is what is left", async () => {
  const team = await newTeam();
  const { accountId, member, keys } = team;
  await ledgerAt(0).setKeyBudget(keys[0], accountId, 1000n);
  await budget(team, "month", 70n);
  await budget(team, "week", 500n, "Asia/Shanghai");
  await budget(team, "day", 200n, "Europe/Berlin");
  const hold = holdOf(team, 30n, { apiKeyId: keys[0] });
  expect(await ledgerAt(0).openHold(hold)).toEqual({
    result: "held",
    amount: 30n,
    rooms: [
      { kind: "lifetime", left: 970n },
      { kind: "member_month", left: 40n },
      { kind: "member_week", left: 470n },
      { kind: "member_day", left: 170n },
    ],
  });
  const cut = holdOf(team, 90n, { apiKeyId: keys[1], holdAmountMin: 1n });
  expect(await ledgerAt(1).openHold(cut)).toMatchObject({ result: "held", amount: 40n });
  const none = await ledgerAt(2).openHold(await memberHold(team, 1n, 2));
  expect(none).toMatchObject({ remaining: 0n, renewal: { period: "month" } });
  await ledgerAt(3).settle(settleOf(hold, 10n));
  // An end that comes twice gives back once.
  await ledgerAt(4).settle(settleOf(hold, 10n));
  await ledgerAt(5).release(releaseOf(cut));
  const states = await memberBudgetStates(pool, accountId, member);
  expect(states.map(({ period, spent, held, left }) => [period, spent, held, left])).toEqual([
    ["day", 10n, 0n, 190n],
    ["week", 10n, 0n, 490n],
    ["month", 10n, 0n, 60n],
  ]);
});

test("over the renewal at midnight both days admit exactly what they allow, and each keeps its own", async () => {
  const team = await newTeam();
  await expectTenOnBothDays({
    ...{ client, ledgerAt, milliseconds: 2000 },
    holdAt: (at) => memberHold(team, 10n, at),
    set: (zone) => budget(team, "day", 100n, zone),
    rows: () => rowsOf(team),
  });
}, 30_000);

test("a budget that is set, lifted and moved while requests run counts each of them once or not at all", async () => {
  const team = await newTeam();
  const zones = ["UTC", "Europe/Berlin", "Pacific/Kiritimati"];
  const change = async (turn: number) => {
    await budget(team, "day", turn % 3 === 2 ? null : 1_000_000n, zones[turn % 4]);
    await budget(team, "week", turn % 5 === 4 ? null : 1_000_000n);
  };
  await holdWhile(change, { ledgerAt, holdAt: (at) => memberHold(team, 10n, at) });
  for (const { held } of await rowsOf(team)) expect(held).toBe(0);
}, 30_000);

test("a budget ends with the membership, and one of another account is never touched", async () => {
  const team = await newTeam();
  const other = await newTeam();
  await client.query(
    "insert into account_member (account_id, user_id, role) values ($1, $2, 'developer')",
    [other.accountId, team.member],
  );
  await budget(team, "day", 10n);
  const hold = await memberHold(team, 10n, 0);
  await ledgerAt(0).openHold(hold);
  const elsewhere = { ...other, member: team.member };
  await budget(elsewhere, "day", 50n);
  expect(await ledgerAt(1).openHold(await memberHold(elsewhere, 40n, 2))).toMatchObject({
    rooms: [{ kind: "member_day", left: 10n }],
  });
  expect(await rowsOf(team)).toMatchObject([{ held: 10 }]);
  await client.query("delete from account_member where account_id = $1 and user_id = $2", [
    team.accountId,
    team.member,
  ]);
  expect([await rowsOf(team), await rowsOf(elsewhere)]).toMatchObject([[], [{ held: 40 }]]);
  await ledgerAt(0).settle(settleOf(hold, 10n));
  await expect(budget(team, "day", 10n)).rejects.toMatchObject({ code: "not_found" });
});

test("neither the maker of a key nor the note of a held order can change", async () => {
  const team = await newTeam();
  await expect(
    client.query("update api_key set created_by = $2 where id = $1", [team.keys[0], team.owner]),
  ).rejects.toThrow(/api_key_maker_fixed/);
  const [held, free] = [await memberHold(team, 10n, 2), await memberHold(team, 10n, 2)];
  await ledgerAt(0).openHold(held);
  const { rows } = await pool.query<{ id: string }>(
    "delete from playground_operation where account_id = $1 returning operation_id as id",
    [team.accountId],
  );
  expect(rows).toEqual([{ id: free.operationId }]);
});

test.each([
  ["spent", "spent = spent + 1"],
  ["holds", "held = held + 1"],
])("the audit finds a member's %s that drift", async (_, change) => {
  const team = await newTeam();
  await budget(team, "week", 100n);
  await ledgerAt(0).openHold(await memberHold(team, 10n, 2));
  await client.query(`update member_budget set ${change} where account_id = $1`, [team.accountId]);
  const broken = (await auditLedger(client)).checks.filter(({ ok }) => !ok);
  expect(broken.map(({ name }) => name).join()).toMatch(/member's budget/);
  await budget(team, "week", null);
});
