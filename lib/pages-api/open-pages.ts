import type pg from "pg";
import { openOutbox } from "../accounts/outbox";
import { createSessionStore } from "../accounts/session-store";
import { openSignInQueue } from "../accounts/sign-in-queue";
import type { ServedBy } from "../contract/states";
import { connectDatabase, type Database } from "../db/client";
import { isRelayError } from "../errors";
import type { PagesWatch } from "../http/pages-watch";
import { auditWhenDue } from "../ledger/audit-runs";
import type { Ledger, LedgerRecovery } from "../ledger/verbs";
import { createPageLimiter } from "../limits/page-limiter";
import { withLive } from "../live-settings/effective";
import type { LiveSettings } from "../live-settings/live-settings";
import type { PriceBook } from "../price-book/price-version";
import { keepStatus } from "../queries/status";
import { forgetSettings } from "../results/kept-settings";
import type { Secrets } from "../secrets";
import type { Settings } from "../settings";
import { sweepPayments } from "../topup/payments";
import { loadStripe, stripeOf } from "../topup/stripe";
import { finishRedemptions } from "../topup/vouchers";
import type { Providers } from "../upstream/providers";
import { assertAddressHasRoom } from "./admit";
import { providePagesDeps } from "./pages-deps";

export interface PagesOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly secrets: Secrets;
  readonly pool: pg.Pool;
  readonly ledger: Ledger & LedgerRecovery;
  readonly priceBook: PriceBook;
  readonly live: LiveSettings;
  readonly providers: Providers;
  servedBy(model: string): ServedBy;
  reportProblem(fields: object, message: string): void;
}

const REDEMPTIONS_EVERY_MS = 60_000;
/** How often to check whether an audit is due. */
const AUDIT_LOOK_MS = 5 * 60_000;

/**
 * Provides the dependencies of the pages and `/api`, finishes vouchers and payments that a crash
 * left incomplete, and runs the audits.
 */
export function openPages(
  options: PagesOptions,
): Pick<PagesWatch, "assertAddressHasRoom"> & { database: Database; close(): Promise<void> } {
  const { databaseUrl, pool, ledger, live, reportProblem } = options;
  const settings = withLive(options.settings, live.value);
  const database = connectDatabase(databaseUrl);
  const sessions = createSessionStore(database);
  const signInQueue = openSignInQueue(databaseUrl);
  const own = {
    settings,
    database,
    sessions,
    signInQueue,
    outbox: openOutbox(reportProblem),
    pageLimiter: createPageLimiter(),
    ...keepStatus(pool),
  };
  providePagesDeps({ ...options, ...own });
  const stripe = stripeOf(settings);
  // Loaded at start, so that no request waits for it.
  if (stripe !== null) void loadStripe();
  let finishing: Promise<unknown> = Promise.resolve();
  const finish = () => {
    finishing = Promise.all([
      finishRedemptions(pool, ledger).catch((err: unknown) =>
        reportProblem({ err }, "vouchers could not be finished"),
      ),
      sweepPayments({ pool, ledger }, stripe).catch((err: unknown) =>
        reportProblem({ err }, "payments could not be finished"),
      ),
      forgetSettings(pool).catch((err: unknown) =>
        reportProblem({ err }, "prompts of old results could not be removed"),
      ),
    ]);
  };
  const stopped = new AbortController();
  let auditing: Promise<unknown> | null = null;
  const audit = () => {
    // A first one may take longer than the time between two looks.
    auditing ??= auditWhenDue(pool, databaseUrl, { signal: stopped.signal })
      .then(
        (report) =>
          report?.ok === false &&
          reportProblem({ alarm: "ledger_audit" }, "the ledger does not add up"),
        // Another process is auditing.
        (err: unknown) =>
          isRelayError(err) || reportProblem({ err }, "the ledger could not be audited"),
      )
      .finally(() => {
        auditing = null;
      });
  };
  finish();
  const timers = [setInterval(finish, REDEMPTIONS_EVERY_MS), setInterval(audit, AUDIT_LOOK_MS)];
  for (const timer of timers) timer.unref();
  return {
    database,
    assertAddressHasRoom: (request) => assertAddressHasRoom(own, request),
    async close() {
      for (const timer of timers) clearInterval(timer);
      stopped.abort();
      await Promise.all([finishing, auditing, own.outbox.close()]);
      await Promise.allSettled([database.$disconnect(), signInQueue.close()]);
    },
  };
}
