/** Tests that the words in the database's checks agree with the one place that defines them. */
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { linkKinds } from "../accounts/user-links";
import { outputCaps } from "../contract/chat-fields";
import { givenRole } from "../contract/members";
import * as states from "../contract/states";
import { planFailures } from "../contract/topup-states";

const client = await opened(new pg.Client({ connectionString: await createTestDatabase() }));
await client.connect();

async function wordsOf(table: string, column: string): Promise<string[]> {
  const { rows } = await client.query<{ check: string }>(
    `select pg_get_constraintdef(oid) as check from pg_constraint
      where contype = 'c' and conrelid = $1::regclass and array_length(conkey, 1) = 1
        and pg_get_constraintdef(oid) like '%' || $2 || ' = ANY%'`,
    [table, column],
  );
  expect(rows).toHaveLength(1);
  return [...(rows[0]?.check ?? "").matchAll(/'([a-z_]+)'/g)]
    .map(([, word]) => word as string)
    .sort();
}

test.each([
  ["open_request", "family", states.families],
  ["open_request", "source", states.requestSources],
  ["open_request", "dialect", states.dialects],
  ["request", "outcome", states.holdOutcomes],
  ["ledger_entry", "kind", states.creditKinds],
  ["plan", "period", states.planPeriods],
  ["account_plan", "status", states.accountPlanStates],
  ["account_plan", "failure", planFailures],
  ["operator_loss", "cause", states.lossCauses],
  ["referral", "outcome", states.referralOutcomes],
  ["video_task", "status", states.taskStatuses],
  ["media", "kind", states.resultFamilies],
  ["account", "status", states.accountStatuses],
  ["account", "welcome_withheld", states.welcomeWithheldReasons],
  ["account_member", "role", states.memberRoles],
  ["account_invitation", "role", givenRole.options],
  ["user_link", "kind", linkKinds],
  ["channel", "protocol", states.channelProtocols],
  ["channel", "output_cap", outputCaps],
  ["notice", "level", states.noticeLevels],
  ["incident_update", "state", states.incidentStates],
  ["notification", "kind", states.notificationKinds],
])("%s.%s allows exactly the words of the list", async (table, column, words) => {
  expect(await wordsOf(table, column)).toEqual([...words].sort());
});

test("the statuses of open tasks are those that a task without an end may have", () => {
  expect(states.taskStatuses.filter(states.isTaskOpen)).toEqual(states.openTaskStatuses);
});
