import { openOutbox } from "../accounts/outbox";
import { createSessionStore } from "../accounts/session-store";
import { openSignInQueue } from "../accounts/sign-in-queue";
import { makeDueInvoices } from "../commands/invoices";
import { finishCardCheckouts } from "../commands/saved-card";
import { connectDatabase, type Database } from "../db/client";
import { openHistoryReaders } from "../db/history-readers";
import { isRelayError } from "../failures/relay-error";
import type { PagesWatch } from "../http/pages-watch";
import { auditWhenDue } from "../ledger/audit/audit-runs";
import { createPageLimiter } from "../limits/page-limiter";
import { withLive } from "../live-settings/effective";
import { sweepPlans } from "../plans/sweep-plans";
import { invoiceFiguresOf } from "../queries/invoice-figures";
import { keepStatus } from "../queries/status";
import { forgetSettings } from "../results/kept-settings";
import { startWorker } from "../timing/worker";
import { sweepPayments } from "../topup/payments";
import { decideReferrals } from "../topup/referrals";
import { loadStripe, stripeOf } from "../topup/stripe";
import { sweepAutoTopups } from "../topup/sweep-auto-topups";
import { finishRedemptions } from "../topup/vouchers";
import { assertAddressHasRoom } from "./admit";
import { type PagesDeps, providePagesDeps } from "./pages-deps";

export type PagesOptions = Pick<
  PagesDeps,
  | "settings"
  | "databaseUrl"
  | "secrets"
  | "pool"
  | "ledger"
  | "priceBook"
  | "archive"
  | "live"
  | "providers"
  | "servedBy"
  | "reportProblem"
>;

const REDEMPTIONS_EVERY_MS = 60_000;
const PLANS_EVERY_MS = 5_000;
/** How often to check whether an audit is due. */
const AUDIT_LOOK_MS = 5 * 60_000;

/** Looks from time to time whether an audit is due. A first one may take longer than that. */
function startAudits({
  pool,
  databaseUrl,
  reportProblem,
}: Pick<PagesOptions, "pool" | "databaseUrl" | "reportProblem">): { close(): Promise<void> } {
  const stopped = new AbortController();
  let auditing: Promise<unknown> | null = null;
  const look = () => {
    const onAlone = (err: unknown) =>
      reportProblem({ err }, "the audit has no second connection, and works on one");
    auditing ??= auditWhenDue(pool, databaseUrl, { signal: stopped.signal, onAlone })
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
  const timer = setInterval(look, AUDIT_LOOK_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      stopped.abort();
      await auditing;
    },
  };
}

/**
 * Provides the dependencies of the pages and `/api`, finishes vouchers and payments that a crash
 * left incomplete, and runs the audits.
 */
export function openPages(options: PagesOptions): Pick<PagesWatch, "assertAddressHasRoom"> & {
  database: Database;
  deps: PagesDeps;
  close(): Promise<void>;
} {
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
    historyReaders: openHistoryReaders(databaseUrl, pool),
    ...keepStatus(pool),
  };
  const deps = { ...options, ...own };
  providePagesDeps(deps);
  const stripe = stripeOf(settings);
  // Loaded at start, so that no request waits for it.
  if (stripe !== null) void loadStripe();
  let finishing: Promise<unknown> = Promise.resolve();
  const failed = (what: string) => (err: unknown) => reportProblem({ err }, what);
  const finish = () => {
    finishing = Promise.all([
      finishRedemptions(pool, ledger).catch(failed("vouchers could not be finished")),
      sweepPayments({ pool, ledger }, stripe).catch(failed("payments could not be finished")),
      sweepAutoTopups({ pool, ledger }, stripe).catch(failed("automatic top-ups failed")),
      finishCardCheckouts({ pool }, stripe).catch(failed("saved cards could not be read")),
      makeDueInvoices({ pool }, { figuresOf: invoiceFiguresOf }).catch(
        failed("invoices could not be made"),
      ),
      decideReferrals(pool).catch(failed("referrals could not be decided")),
      forgetSettings(pool).catch(failed("prompts of old results could not be removed")),
    ]);
  };
  const audits = startAudits(options);
  finish();
  const timer = setInterval(finish, REDEMPTIONS_EVERY_MS);
  timer.unref();
  const plans = startWorker({
    turn: async () => {
      await sweepPlans(pool);
      return PLANS_EVERY_MS;
    },
    afterFailureMs: PLANS_EVERY_MS,
    onProblem: failed("plans could not be renewed"),
  });
  return {
    database,
    deps,
    assertAddressHasRoom: (request) => assertAddressHasRoom(own, request),
    async close() {
      clearInterval(timer);
      await Promise.all([finishing, plans.close(), audits.close(), own.outbox.close()]);
      await Promise.allSettled([
        database.$disconnect(),
        signInQueue.close(),
        own.historyReaders.close(),
      ]);
    },
  };
}
