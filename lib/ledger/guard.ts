/**
 * Checks the schema before the first hold: a database that lacks a constraint or trigger of the
 * ledger must not be served.
 */
import type pg from "pg";

const constraints = [
  "wallet_counters_not_negative",
  "wallet_available_not_negative",
  "wallet_leased_bounded",
  "points_lease_amount",
  "points_lease_act",
  "points_lease_pkey",
  "operation_source",
  "operation_family",
  "operation_texts_bounded",
  "operation_multiplier",
  "operation_quote_amount",
  "operation_hold_amount",
  "operation_request_sha256",
  "operation_deadline",
  "settlement_outcome",
  "settlement_within_hold",
  "settlement_released_is_free",
  "settlement_settled_has_usage",
  "settlement_released_has_reason",
  "settlement_bounded",
  "ledger_entry_kind",
  "ledger_entry_amount",
  "ledger_entry_reason",
  "ledger_entry_actor",
  "ledger_entry_ref",
  "ledger_entry_once",
  "ledger_entry_refund_of",
  "ledger_entry_refunded_operation",
  "operator_loss_cause",
  "operator_loss_estimate",
  "ledger_reversal_amounts",
  "node_release_actor",
  "price_version_other_rates",
  "api_key_budget_amounts",
  "api_key_budget_kind",
  "api_key_budget_zone",
  "api_key_budget_window",
  "usage_day_not_negative",
  "wallet_pkey",
  "operation_pkey",
  "open_operation_pkey",
  "settlement_pkey",
  "ledger_entry_pkey",
  "usage_day_pkey",
  "usage_hour_pkey",
  "usage_hour_not_negative",
  "usage_hour_whole",
  "usage_total_hour_pkey",
  "usage_total_hour_not_negative",
  "usage_total_hour_whole",
  "usage_total_hour_failed",
  "usage_total_day_pkey",
  "usage_total_day_not_negative",
  "api_key_budget_pkey",
  "node_pkey",
  "video_task_status",
  "video_task_succeeded_has_result",
  "video_task_failed_says_why",
  "video_task_operation_id_key",
  "video_task_upstream",
] as const;

const triggers = [
  "wallet_no_delete",
  "wallet_only_grows",
  "wallet_starts_empty",
  "points_lease_fixed",
  "points_lease_no_truncate",
  "points_lease_end",
  "points_lease_stop",
  "open_operation_only_by_trigger",
  "open_operation_fixed",
  "api_key_budget_bound",
  "usage_day_only_grows",
  "usage_day_no_delete",
  "operation_opens",
  "settlement_ends",
  "operation_append_only",
  "settlement_append_only",
  "ledger_entry_append_only",
  "ledger_entry_refund_bound",
  "operator_loss_append_only",
  "price_version_append_only",
  "price_version_rates_agree",
  "node_release_append_only",
  "operation_no_truncate",
  "settlement_no_truncate",
  "ledger_entry_no_truncate",
  "operator_loss_no_truncate",
  "price_version_no_truncate",
  "node_release_no_truncate",
  "wallet_no_truncate",
  "open_operation_no_truncate",
  "api_key_budget_no_truncate",
  "usage_day_no_truncate",
  "usage_waiting_no_truncate",
  "usage_backfill_no_truncate",
  "usage_backfill_no_delete",
  "usage_backfill_only_falls",
  "usage_hour_no_truncate",
  "usage_hour_no_delete",
  "usage_hour_only_grows",
  "usage_total_hour_no_truncate",
  "usage_total_hour_no_delete",
  "usage_total_hour_only_grows",
  "usage_total_hour_failed_only_grows",
  "usage_total_day_no_truncate",
  "usage_total_day_no_delete",
  "usage_total_day_only_grows",
  "video_task_agrees",
  "settlement_agrees_with_task",
  "video_task_ends_once",
  "video_task_no_delete",
  "video_task_no_truncate",
] as const;

/**
 * Throws a one-line error unless every constraint and trigger of the ledger is in force in the live
 * catalogue.
 */
export async function assertRules(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) name
      where not exists (select from pg_constraint c where c.conname = name and c.convalidated and c.connamespace = current_schema()::regnamespace)
     union all
     select name from unnest($2::text[]) name
      where not exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
                         where t.tgname = name and t.tgenabled in ('O', 'A') and c.relnamespace = current_schema()::regnamespace)`,
    [constraints, triggers],
  );
  if (rows.length > 0)
    throw new Error(
      `The database lacks constraints or triggers of the ledger: ${rows.map(({ name }) => name).join(", ")}.`,
    );
}
