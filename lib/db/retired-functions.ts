/**
 * Functions of the database that this release, or one before it, has removed. A function that is
 * neither here nor in a file is of a newer release: then its functions and rights are left alone.
 */
export const retiredFunctions: readonly string[] = [
  "ledger_apply",
  "ledger_apply_one_by_one",
  "ledger_charge",
  "ledger_follow_ends",
  "ledger_member_end",
  "ledger_member_hold",
  "ledger_member_rooms",
  "ledger_refuse_dropped",
  "operation_opens",
  "payment_period_due",
  "settlement_agrees_with_task",
  "settlement_ends",
  "tag_budget_refuse",
  "usage_add_blocks",
  "usage_add_parts",
  "usage_block_at",
  "usage_block_of",
  "usage_blocks_audited",
  "usage_count_earlier",
  "usage_cut_at",
  "usage_cut_audited",
  "usage_cut_hours",
  "usage_cut_minutes",
  "usage_entries",
  "usage_make_blocks",
  "usage_refuse",
];
