import type { SessionStore } from "../accounts/session-store";
import type { Secrets } from "../crypto/secrets";
import type { Database } from "../db/client";
import type { Reader } from "../db/pool";
import type { ArchivedRequests } from "../ledger/archive/archive-register";
import type { Ledger, LedgerRecovery } from "../ledger/core/verbs";
import type { LiveValues } from "../live-settings/live-settings";
import type { PriceBook } from "../price-book/price-version";
import type { Settings } from "../settings/settings";

/** The dependencies of queries; each query takes the part it needs. */
export interface QueryDeps {
  readonly database: Database;
  readonly pool: Reader;
  readonly ledger: Ledger & LedgerRecovery;
  /** Includes the settings that operators changed since the start. */
  readonly settings: Settings;
  readonly live: LiveValues;
  readonly secrets: Secrets;
  readonly priceBook: PriceBook;
  readonly sessions: SessionStore;
  /** Requests of months that are no longer in the tables. */
  readonly archive: ArchivedRequests;
}
