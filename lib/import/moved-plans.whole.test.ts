/** Subscriptions of new-api, in each of its databases, become plans where an operator names one for theirs. */
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  type GeneratedSource,
  type GeneratedTable,
  generateSource,
  type Row,
} from "@/testing/import/generated-source";
import { importInto } from "@/testing/import/import-into";
import { type SourceKind, writeRows } from "@/testing/import/import-stage";
import { faultsOf } from "@/testing/ledger/faults-of";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import type { PlanInput } from "../commands/plan-input";
import { createPlan } from "../commands/plans";
import { sweepPlans } from "../plans/sweep-plans";

const NOW = Math.floor(Date.now() / 1000);
const HOUR = 3600;
const DAY = 24 * HOUR;
const table = (columns: GeneratedTable["columns"], rows: Row[]): GeneratedTable => ({
  columns,
  rows: () => rows,
});

/** By user, plan, what is used of 500, when it begins anew and when it ends. */
const subscribed: readonly (readonly [number, number, number, number, number])[] = [
  [1, 1, 120, NOW + HOUR, NOW + HOUR + 2.5 * DAY],
  [2, 2, 500, 0, NOW + 10 * DAY],
  [3, 2, 1, 0, NOW + 10 * DAY],
  [3, 1, 0, NOW + HOUR, NOW + 2 * DAY],
  [4, 3, 0, 0, NOW + DAY],
  // Its user does not move.
  [5, 2, 0, 0, NOW + DAY],
  // It should have been reset an hour ago.
  [7, 1, 400, NOW - HOUR, NOW + 1.5 * DAY],
  [8, 4, 0, NOW + HOUR, NOW + 30 * DAY],
  [6, 2, 0, 0, NOW - 9],
];
const subscriptions = (used = 0) =>
  table(
    {
      ...{ id: "id", user_id: "int", plan_id: "int", amount_total: "int", amount_used: "int" },
      ...{ end_time: "int", next_reset_time: "int", status: "text", upgrade_group: "text" },
      prev_user_group: "text",
    },
    [
      ...subscribed.map(([user, plan, of, resets, ends], at) => ({
        ...{ id: at + 1, user_id: user, plan_id: plan, amount_total: 500, amount_used: of + used },
        ...{ end_time: ends, next_reset_time: resets, status: "active", upgrade_group: "" },
        prev_user_group: "",
      })),
      {
        ...{ id: 99, user_id: 6, plan_id: 2, amount_total: 0, amount_used: 7 },
        ...{ end_time: NOW + DAY, next_reset_time: 0, status: "active", upgrade_group: "" },
        prev_user_group: "",
      },
    ],
  );
const plans = table(
  { id: "id", title: "text", quota_reset_period: "text", quota_reset_custom_seconds: "int" },
  [
    { id: 1, title: "Daily", quota_reset_period: "custom", quota_reset_custom_seconds: DAY },
    { id: 2, title: "Once", quota_reset_period: "never", quota_reset_custom_seconds: 0 },
    { id: 3, title: "Other", quota_reset_period: "never", quota_reset_custom_seconds: 0 },
    { id: 4, title: "Weekly", quota_reset_period: "weekly", quota_reset_custom_seconds: 0 },
  ],
);
const source = (used?: number): GeneratedSource => ({
  ...generateSource("new-api", { users: 8, keys: 8, logs: 1 }),
  subscription_plans: plans,
  user_subscriptions: subscriptions(used),
});

const terms: PlanInput = {
  ...{ name: "Daily", note: null, groupId: null, points: 700n, period: "day", hours: null },
  ...{ rolloverPercent: 0, amount: 900, currency: "eur", isOffered: true },
};

const state = `
select r.foreign_id as "user", p.number, extract(epoch from p.period_ends_at)::bigint::text as ends, p.periods_left as follow,
       (select string_agg(e.amount::text || ' ' || extract(epoch from l.ends_at)::bigint, ',') from ledger_entry e
          join point_lot l on l.entry_id = e.id where e.kind = 'plan' and e.account_id = p.account_id) as points
  from account_plan p join import_row r on r.kind = 'user' and r.target_id = p.account_id where p.status <> 'ended' order by 1`;

async function openSite() {
  const folder = newFolder("plans");
  const url = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: url });
  const owner = await connect(url);
  onTestFinished(async () => {
    await Promise.all([pool.end(), owner.end()]);
  });
  const { id: daily } = await createPlan({ pool }, "cli", terms);
  const monthly = { ...terms, name: "Monthly", period: "month" as const };
  const { id: once } = await createPlan({ pool }, "cli", monthly);
  return {
    folder,
    url,
    pool,
    owner,
    plans: new Map(Object.entries({ 1: daily, 2: once, 4: daily })),
  };
}

const took = { ends: `${NOW + HOUR}`, number: 1 };
const end = `${NOW + 10 * DAY}`;
const moved = [
  { user: "1", ...took, follow: 3, points: `760 ${NOW + HOUR}` },
  { user: "2", number: expect.any(Number), ends: end, follow: 0, points: null },
  { user: "3", number: expect.any(Number), ends: end, follow: 0, points: `998 ${end}` },
  {
    user: "7",
    number: 1,
    ends: `${NOW + 23 * HOUR}`,
    follow: 1,
    points: `1000 ${NOW + 23 * HOUR}`,
  },
];

test.each<SourceKind>(["sqlite", "dump", "postgres"])(
  "the rest of a subscription in %s is moved once, and is valid here until its end",
  async (kind) => {
    const { folder, url, pool, plans: named } = await openSite();
    const place = await writeRows(join(folder, "theirs"), kind, source());
    const without = await importInto(url, { product: "new-api", place });
    expect(without.counts.subscriptions).toMatchObject({ found: 9, taken: 0, left: 9 });
    const dry = await importInto(url, { product: "new-api", place, plans: named, isDry: true });
    expect((await pool.query(state)).rows).toEqual([]);
    const report = await importInto(url, { product: "new-api", place, plans: named });
    expect(report.counts.subscriptions).toEqual(dry.counts.subscriptions);
    expect(report.counts.subscriptions).toEqual({
      ...{ found: 9, taken: 4, known: 0, left: 5, quota: 1379n, points: 2758n },
    });
    expect((await pool.query(state)).rows).toEqual(moved);
    const said = report.remarks.map(({ reason, examples }) => `${reason}: ${examples.join("; ")}`);
    for (const told of [
      /is on a plan here already: 4 of user 3: 500 quota/,
      /name a plan for its plan.*: 5 of user 4: .* plan 3 Other/,
      /its user did not move: 6 of user 5/,
      /has no limit, and points have one: 99 of user 6: no limit/,
      /begins anew at other times.*: 8 of user 8/,
      /the periods that follow have the points of the plan here.*: 1 of user 1.*; 7 of user 7/,
    ])
      expect(said.join("\n")).toMatch(told);

    const later = await writeRows(join(folder, "later"), kind, source(9));
    const again = await importInto(url, { product: "new-api", place: later, plans: named });
    expect(again.counts.subscriptions).toMatchObject({ taken: 0, known: 4 });
    expect(JSON.stringify(again.remarks)).toMatch(/1 of user 1: 371 quota.*: 380 then/);
    expect((await pool.query(state)).rows).toEqual(moved);
    expect(await faultsOf(pool)).toEqual([]);
  },
);

test("the periods that were paid follow, with the points of the plan here, and then the plan ends", async () => {
  const { folder, url, pool, owner, plans: named } = await openSite();
  const place = await writeRows(join(folder, "theirs"), "dump", source());
  await importInto(url, { product: "new-api", place, plans: named });
  const entries = async () => {
    const { rows } = await pool.query<{ line: string }>(
      `select e.kind || ' ' || e.amount as line from ledger_entry e join import_row r on r.target_id = e.account_id
        where r.kind = 'user' and r.foreign_id = '1' and e.kind in ('plan', 'expiry') order by e.id`,
    );
    return rows.map(({ line }) => line);
  };
  const pass = async (hours: number) => {
    await owner.query(
      `with moved as (update account_plan set anchor_at = anchor_at - $1::interval, period_starts_at = period_starts_at - $1::interval,
                        period_ends_at = period_ends_at - $1::interval)
       update point_lot set ends_at = ends_at - $1::interval`,
      [`${hours} hours`],
    );
    await sweepPlans(pool);
  };
  await pass(1.1);
  expect(await entries()).toEqual(["plan 760", "expiry 760", "plan 700"]);
  for (let day = 0; day < 3; day++) await pass(24);
  expect(await entries()).toEqual([
    ...["plan 760", "expiry 760", "plan 700", "expiry 700", "plan 700", "expiry 700"],
    ...["plan 700", "expiry 700"],
  ]);
  expect((await pool.query(state)).rows.filter(({ user }) => user === "1")).toEqual([]);
});

test("a plan that the source does not have, and one that is retired, are refused by name", async () => {
  const { folder, url, pool, plans: named } = await openSite();
  const place = await writeRows(join(folder, "theirs"), "sqlite", source());
  const take = (more: ReadonlyMap<string, string>) =>
    importInto(url, { product: "new-api", place, plans: more });
  await expect(take(new Map([["9", "plan_x"]]))).rejects.toThrow(
    /no plan 9\. It has: 1 \(Daily\), 2 \(Once\)/,
  );
  await pool.query("update plan set retired_at = now(), is_offered = false");
  await expect(take(named)).rejects.toThrow(/is retired/);
});
