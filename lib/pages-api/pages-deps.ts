import type pg from "pg";
import type { SessionStore } from "../accounts/session-store";
import type { SignInLane } from "../accounts/sign-in-lane";
import type { Database } from "../db/client";
import type { Ledger, Rescue } from "../ledger/verbs";
import type { PageLimiter } from "../limits/page-limiter";
import type { LiveSettings } from "../live-settings/live-settings";
import type { PriceBook } from "../price-book/price-version";
import type { Secrets } from "../secrets";
import type { Settings } from "../settings";
import type { Providers } from "../upstream/providers";

/** What the pages and their `/api` need of the running process. */
export interface PagesDeps {
  /** With what operators set since the start. */
  readonly settings: Settings;
  readonly live: LiveSettings;
  /** From which session and other keys are derived. */
  readonly secrets: Secrets;
  /** For work on a connection of its own, such as an audit. */
  readonly databaseUrl: string;
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: Ledger & Rescue;
  readonly priceBook: PriceBook;
  /** For operators who try a channel; what they ask counts in no channel's health. */
  readonly providers: Providers;
  readonly sessions: SessionStore;
  readonly pageLimiter: PageLimiter;
  /** Where passwords are checked and accounts are made. */
  readonly signInLane: SignInLane;
  /** Told of failures that are ours. */
  reportProblem(fields: object, message: string): void;
}

const slot = Symbol.for("relay.pages-deps");
const holder = globalThis as { [slot]?: PagesDeps };

/** Called once by the composition; the pages, bundled apart, find the same. */
export function providePagesDeps(deps: PagesDeps): void {
  holder[slot] = deps;
}

export function pagesDeps(): PagesDeps {
  const deps = holder[slot];
  if (deps === undefined) throw new Error("The site was asked before the process was composed.");
  return deps;
}
