/** What an entry of the ledger does to the balance, in SQL. */
import { takesPoints } from "../ledger/audit/entry-kinds";

/** Over a row of `ledger_entry`: what it adds to the balance, in micropoints; negative when it takes points away. */
export const entryChange = `case when ${takesPoints} then -amount else amount end`;
