/** What an entry of the ledger does to the balance, in SQL. */

/** Over a row of `ledger_entry`: it takes points away. */
export const takes = "kind in ('clawback', 'expiry', 'adjust_down')";
/** Over a row of `ledger_entry`: what it adds to the balance, in micropoints; negative when it takes points away. */
export const entryChange = `case when ${takes} then -amount else amount end`;
