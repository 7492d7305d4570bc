import type pg from "pg";
import type { Database } from "../db/client";
import type { Ledger, Rescue } from "../ledger/verbs";
import type { Secrets } from "../secrets";

/**
 * The dependencies of commands; each command takes the part it needs. Both the pages' process and
 * the command line provide all of them.
 */
export interface CommandDeps {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: Ledger & Rescue;
  readonly secrets: Secrets;
}
