import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { writeHistory } from "@/testing/ledger/history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { tableGrants } from "./grants";

/** Updated again and again; where it says so, without a change of an indexed column. */
const updated = {
  wallet: "in place",
  api_key_budget: "in place",
  member_budget: "in place",
  tag_budget: "in place",
  usage_day: "in place",
  usage_hour: "in place",
  usage_total_hour: "in place",
  usage_total_day: "in place",
  ledger_draft: "in place",
  ledger_seal_head: "in place",
  operator_action_head: "in place",
  node: "in place",
  channel_minute: "in place",
  channel_process: "in place",
  response_account: "in place",
  api_key: "in place",
  user_session: "in place",
  idempotent_request: "in place",
  video_task: "in place",
  callback_delivery: "",
  webhook_delivery: "",
  notification_mail: "",
  ledger_apart: "",
} as const;
const removed = [
  "open_request",
  "usage_waiting",
  "stored_response",
  "request_content",
  "studio_session",
  "studio_answer",
  "notification",
  "notification_told",
  "sign_in_failure",
  "upstream_attempt",
  "api_key_spend_mark",
  "ended_session",
  "playground_operation",
  "media",
  "image_result",
];
const added = ["request", "ledger_entry", "operator_loss", "operator_action"];
/** A row for each thing that a person, an operator or a day makes: the defaults fit. */
const quiet = [
  "account account_member account_invitation user user_identity user_link user_totp recovery_code",
  "passkey management_key operator_key verification_token welcome_grant mailbox_gift referral invite",
  "account_group plan account_plan account_group_multiplier account_model_multiplier channel channel_watch model",
  "upstream_price_list upstream_listed_rate",
  "upstream_rate upstream_balance upstream_bill upstream_difference",
  "model_version model_name price_version upstream_price live_setting notice incident",
  "incident_update voucher voucher_batch topup_package payment payment_dispute payment_event card_checkout",
  "auto_topup auto_topup_charge stripe_removal account_billing invoice invoice_counter receipt_parties",
  "ledger_reversal ledger_audit_run ledger_piece ledger_seal ledger_seal_account node_release",
  "ledger_archive ledger_archive_part ledger_archive_drop import_source import_row import_usage",
  "point_lot point_lot_mark tag_name tag_value",
  "notification_choice webhook_endpoint _prisma_migrations function_set",
].flatMap((line) => line.split(" "));

const client = await opened(connect(await createTestDatabase()));

/** The settings of a table or, where it has partitions, of each of them. */
async function settingsOf(table: string): Promise<Record<string, number>[]> {
  const { rows } = await client.query<{ settings: Record<string, string> }>(
    `select coalesce((select jsonb_object_agg(option_name, option_value) from pg_options_to_table(c.reloptions)), '{}') as settings
       from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        and (c.relname = $1 or exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhparent = $1::regclass))`,
    [`public."${table}"`.replace(/^public."|"$/g, "")],
  );
  return rows.map(({ settings }) =>
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, Number(value)])),
  );
}

test("every table is known as hot or as quiet", async () => {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  const known = [...Object.keys(updated), ...removed, ...added, ...quiet];
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  for (const name of known) expect([name, tableGrants.has(name)]).toEqual([name, true]);
});

test.each([...Object.keys(updated), ...removed])(
  "vacuum comes to %s before a twentieth of it is dead",
  async (table) => {
    for (const settings of await settingsOf(table)) {
      expect(settings.autovacuum_vacuum_scale_factor).toBeLessThanOrEqual(0.05);
      expect(settings.autovacuum_vacuum_threshold).toBeLessThanOrEqual(1000);
    }
    expect((await settingsOf(table)).length).toBe(1);
  },
);

test.each(Object.entries(updated).flatMap(([name, how]) => (how === "" ? [] : [name])))(
  "the pages of %s keep room for new versions of their rows",
  async (table) => {
    expect((await settingsOf(table))[0]?.fillfactor).toBeLessThanOrEqual(85);
  },
);

test.each(added)("every part of %s is vacuumed after it grew by a fiftieth", async (table) => {
  const parts = await settingsOf(table);
  expect(parts.length).toBeGreaterThan(0);
  for (const settings of parts) {
    expect(settings.autovacuum_vacuum_insert_scale_factor).toBeLessThanOrEqual(0.02);
    expect(settings.autovacuum_analyze_scale_factor).toBeLessThanOrEqual(0.02);
  }
});

test("a thousand batches change no index of wallets, days and processes", async () => {
  await seedPrice(client);
  await writeHistory(client, { accounts: 3, requests: 200, days: 1, open: 3, seed: 1 });
  await client.query("vacuum wallet, usage_day, node");
  for (let at = 0; at < 1000; at++)
    await client.query(
      "update wallet set version = version + 1, debits_pending = debits_pending where account_id = 'acct_history_1'",
    );
  for (let at = 0; at < 1000; at++)
    await client.query("update node set lease_until = now() + interval '1 minute'");
  const figures = async () =>
    (
      await client.query<{ name: string; updated: number; hot: number }>(
        `select relname as name, n_tup_upd::int as updated, n_tup_hot_upd::int as hot
           from pg_stat_user_tables where relname in ('wallet', 'node') order by 1`,
      )
    ).rows;
  await expect
    .poll(async () => (await figures()).every(({ updated }) => updated >= 1000), {
      timeout: 10_000,
    })
    .toBe(true);
  for (const { updated, hot } of await figures()) expect(hot / updated).toBeGreaterThan(0.9);
});
