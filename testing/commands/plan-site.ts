/** Accounts on plans, in a database of their own, whose time a test moves on. */
import pg from "pg";
import { type PlanMoment, setAccountPlan } from "@/lib/commands/account-plans";
import type { PlanInput } from "@/lib/commands/plan-input";
import { createPlan } from "@/lib/commands/plans";
import { createVouchers } from "@/lib/commands/vouchers";
import { connectDatabase } from "@/lib/db/client";
import { sweepPlans } from "@/lib/plans/sweep-plans";
import {
  charged,
  openLedgerDatabase,
  type SeededAccount,
  seedAccount,
} from "../ledger/test-ledger";

const actor = "cli";
const terms: PlanInput = {
  name: "Small",
  note: null,
  groupId: null,
  points: 100n,
  period: "day",
  hours: null,
  rolloverPercent: 0,
  amount: null,
  currency: null,
  isOffered: true,
};

export async function openPlanSite() {
  const database = await openLedgerDatabase();
  const { client, ledger } = database;
  const pool = new pg.Pool({ connectionString: database.url });
  const other = new pg.Pool({ connectionString: database.url });
  const newPlan = async (changes: Partial<PlanInput> = {}) =>
    (await createPlan({ pool }, actor, { ...terms, ...changes })).id;
  const set = ({ accountId }: SeededAccount, planId: string, when: PlanMoment = "period_end") =>
    setAccountPlan({ pool }, actor, { accountId, planId, when, isOwn: false });

  /** An account on a plan of its own, with points that have no end. */
  async function subscribe(changes: Partial<PlanInput> = {}, points = 0n) {
    const account = await seedAccount(client, ledger, points);
    const planId = await newPlan(changes);
    await set(account, planId);
    return { account, planId };
  }

  /** As if it were later. */
  async function pass({ accountId }: SeededAccount, hours: number): Promise<void> {
    const span = `${hours} hours`;
    await client.query(
      `update account_plan set anchor_at = anchor_at - $2::interval, period_starts_at = period_starts_at - $2::interval,
         period_ends_at = period_ends_at - $2::interval where account_id = $1`,
      [accountId, span],
    );
    await client.query(
      "update point_lot set ends_at = ends_at - $2::interval where account_id = $1",
      [accountId, span],
    );
  }
  async function later(account: SeededAccount, hours: number): Promise<void> {
    await pass(account, hours);
    await sweepPlans(pool);
  }

  /** The account's entries: what plans gave, and what ended. */
  async function entries({ accountId }: SeededAccount): Promise<string[]> {
    const { rows } = await client.query<{ line: string }>(
      `select case kind when 'plan' then '+' else '-' end || amount as line from ledger_entry
        where account_id = $1 and kind in ('plan', 'expiry') order by id`,
      [accountId],
    );
    return rows.map(({ line }) => line);
  }
  const available = async ({ accountId }: SeededAccount) =>
    (await ledger.balance(accountId)).available;
  const spend = (account: SeededAccount, amount: bigint) => charged(ledger, account, amount);
  const prisma = connectDatabase(database.url, 1);
  const vouchers = (id: string, periods: number) =>
    createVouchers({ database: prisma }, actor, {
      name: "Paid",
      points: null,
      count: 3,
      expiresAt: null,
      plan: { id, periods },
    });
  async function close(): Promise<void> {
    await prisma.$disconnect();
    await Promise.all([pool.end(), other.end()]);
    await database.close();
  }
  const given = { database, pool, other };
  const acts = { newPlan, set, subscribe, pass, later, spend };
  return { ...given, ...acts, vouchers, entries, available, close };
}
