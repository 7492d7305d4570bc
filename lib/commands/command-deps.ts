import type pg from "pg";
import type { Database } from "../db/client";
import type { Ledger, Rescue } from "../ledger/verbs";
import type { Secrets } from "../secrets";

/** What commands work on; each takes the part it needs. The pages' process and the command line both have all of it. */
export interface CommandDeps {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: Ledger & Rescue;
  readonly secrets: Secrets;
}
