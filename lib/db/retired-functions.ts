/**
 * Functions of the database that this release, or one before it, has removed. A function that is
 * neither here nor in a file is of a newer release: then its functions and rights are left alone.
 */
export const retiredFunctions: readonly string[] = [
  "ledger_apply",
  "ledger_apply_one_by_one",
  "ledger_member_end",
  "ledger_member_hold",
  "ledger_member_rooms",
  "ledger_refuse_dropped",
  "operation_opens",
  "settlement_agrees_with_task",
  "settlement_ends",
  "usage_count_earlier",
];
