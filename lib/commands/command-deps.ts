import type pg from "pg";
import type { Secrets } from "../crypto/secrets";
import type { Database } from "../db/client";
import type { Ledger, LedgerRecovery } from "../ledger/core/verbs";

/**
 * The dependencies of commands; each command takes the part it needs. Both the pages' process and
 * the command line provide all of them.
 */
export interface CommandDeps {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: Ledger & LedgerRecovery;
  readonly secrets: Secrets;
}
