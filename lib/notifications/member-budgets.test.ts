import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import {
  charged,
  connect,
  openTestLedger,
  type SeededAccount,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { findTogether } from "@/testing/notifications/find-together";
import { opened } from "@/testing/unit/opened";
import { connectDatabase } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { setMemberBudget } from "../ledger/core/member-budgets";
import { handOut } from "./hand-out";
import { notificationWords } from "./notification-words";

const POINT = 1_000_000n;

const url = await createTestDatabase();
const [client, owner] = [await connect(url), await connect(ownerUrlOf(url))];
const ledger = await opened(openTestLedger(url));
const database = await opened(connectDatabase(url));

async function addMember({ accountId }: SeededAccount, name: string): Promise<string> {
  const id = `user_${name}_${crypto.randomUUID()}`;
  await owner.query("insert into account (id) values ($1)", [`acct_${id}`]);
  await owner.query(
    `insert into "user" (id, email, account_id, email_verified_at) values ($1, $2, $3, now())`,
    [id, `${name}@${id.slice(-12)}.example`, `acct_${id}`],
  );
  await owner.query("insert into account_member (account_id, user_id, role) values ($1, $2, $3)", [
    accountId,
    id,
    name,
  ]);
  return id;
}

async function newTeam() {
  const account = await seedAccount(owner, ledger, 1000n * POINT);
  const [developer, admin, viewer] = [
    await addMember(account, "developer"),
    await addMember(account, "admin"),
    await addMember(account, "viewer"),
  ];
  const key = `key_${crypto.randomUUID()}`;
  await owner.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'test', sha256($3), 'hint', $4)",
    [key, account.accountId, Buffer.from(key), developer],
  );
  return { ...account, developer, admin, viewer, key };
}
type Team = Awaited<ReturnType<typeof newTeam>>;

const budget = ({ accountId, developer }: Team, period: "day" | "month", points: bigint) =>
  inDatabaseTransaction(database, (transaction) =>
    setMemberBudget(
      transaction,
      { accountId, userId: developer },
      { period, amount: points * POINT, zone: "UTC" },
    ),
  );

const charge = (team: Team, points: bigint) =>
  charged(ledger, team, points * POINT, { apiKeyId: team.key });

interface Told {
  readonly kind: "member_budget" | "own_budget";
  readonly user_id: string | null;
  readonly data: unknown;
}
const toldOf = async ({ accountId }: Team) =>
  (
    await client.query<Told>(
      "select kind, user_id, data from notification where account_id = $1 and kind like '%budget' order by created_at, kind",
      [accountId],
    )
  ).rows;

test("a member's budget is told at 80 and 100 %, once in each window, to the member and to those who manage members", async () => {
  const team = await newTeam();
  await budget(team, "day", 100n);
  await charge(team, 79n);
  await findTogether(url);
  expect(await toldOf(team)).toEqual([]);
  await charge(team, 1n);
  await findTogether(url);
  await findTogether(url);
  const item = {
    id: team.developer,
    email: expect.stringMatching(/^developer@/),
    limit: "day",
    percent: 80,
    spent_points: "80",
    budget_points: "100",
  };
  const renews = { renews_at: expect.stringMatching(/T00:00:00Z$/) };
  const first = [
    { kind: "member_budget", user_id: null, data: { members: [item], more: 0 } },
    { kind: "own_budget", user_id: team.developer, data: { ...item, ...renews } },
  ];
  expect(await toldOf(team)).toEqual(first);
  // After the budget was raised, the same level can be told again.
  await budget(team, "day", 200n);
  await findTogether(url);
  expect(await toldOf(team)).toEqual(first);
  await charge(team, 120n);
  await findTogether(url);
  const told = await toldOf(team);
  expect(told.slice(2)).toMatchObject([
    { kind: "member_budget", data: { members: [{ percent: 100, budget_points: "200" }] } },
    { kind: "own_budget", data: { percent: 100 } },
  ]);
  expect(told.slice(2).map((each) => notificationWords("en")(each).text)).toEqual([
    expect.stringMatching(
      /^Used of the budgets of members: developer@.*, 100 % of 200 points \(a day\)\.$/,
    ),
    expect.stringMatching(/^100 % of your budget of 200 points a day are used\. It renews at /),
  ]);
  // The next window.
  await owner.query(
    "update member_budget set starts_at = ends_at, ends_at = ends_at + interval '1 day', spent = 160000000 where account_id = $1",
    [team.accountId],
  );
  await findTogether(url);
  expect(await toldOf(team)).toHaveLength(6);
});

test("the budgets of a day and of a month are told in one notification to those who manage members", async () => {
  const team = await newTeam();
  await budget(team, "day", 10n);
  await budget(team, "month", 10n);
  await charge(team, 9n);
  await findTogether(url);
  expect(await toldOf(team)).toMatchObject([
    { kind: "member_budget", data: { members: [{ limit: "day" }, { limit: "month" }] } },
    { kind: "own_budget" },
    { kind: "own_budget" },
  ]);
});

test("mails go to the member and to those who manage members, and to no other member", async () => {
  const team = await newTeam();
  await budget(team, "day", 10n);
  await charge(team, 10n);
  await findTogether(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await handOut(pool, true);
  await pool.end();
  const { rows } = await client.query<{ user_id: string; kind: string }>(
    `select m.user_id, n.kind from notification_mail m join notification n on n.id = m.notification_id
      where n.account_id = $1 order by n.kind`,
    [team.accountId],
  );
  expect(rows).toEqual([
    { user_id: team.admin, kind: "member_budget" },
    { user_id: team.developer, kind: "own_budget" },
  ]);
});
