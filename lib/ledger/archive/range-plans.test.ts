/** Ranges of ids that are short beside their table: the planner expects one row in them. */
import type pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditSealed } from "../audit/audit-sealed";
import { sealLedger } from "../audit/seal";
import { verifySealed } from "../audit/seal-verify";

const REQUESTS = 6000;

interface Plan {
  readonly Plans?: readonly Plan[];
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Actual Loops": number;
}

/** How many pairs of rows a plan compared in vain. */
const comparedIn = (plan: Plan): number =>
  (plan["Rows Removed by Join Filter"] ?? 0) * plan["Actual Loops"] +
  (plan.Plans ?? []).reduce((sum, each) => sum + comparedIn(each), 0);

/** Collects the plans of all statements, also of those in functions, as they were executed. */
async function watchPlans(client: pg.Client): Promise<Plan[]> {
  const plans: Plan[] = [];
  client.on("notice", ({ message = "" }) => {
    const text = /^duration: .* plan:\n(\{.*\})$/s.exec(message)?.[1];
    if (text !== undefined) plans.push((JSON.parse(text) as { Plan: Plan }).Plan);
  });
  await client.query(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_timing = off;
    set auto_explain.log_nested_statements = on; set auto_explain.log_format = json; set auto_explain.log_level = notice`);
  return plans;
}

const compared = () => plans.splice(0).reduce((sum, plan) => sum + comparedIn(plan), 0);

const url = await createTestDatabase();
const owner = await opened(connect(url));
await seedHistory(owner, url, { requests: REQUESTS, days: 4 });
// One bin for the whole table, as a bin of a large one has more rows than a piece or an hour.
await owner.query("set default_statistics_target = 1");
await owner.query("vacuum analyze");
const plans = await watchPlans(owner);

test("a piece, an hour and a day are read without comparing each request with each other", async () => {
  await sealLedger(owner, { piece: 2000 });
  const { checks } = await auditSealed(owner);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(plans.length).toBeGreaterThan(20);
  expect(compared()).toBeLessThan(REQUESTS);
});

test("so are sealed pieces that are read again", async () => {
  const checks = await verifySealed(owner);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(plans.length).toBeGreaterThan(5);
  expect(compared()).toBeLessThan(REQUESTS);
});
