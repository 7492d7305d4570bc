import type pg from "pg";
import { createSessionBook } from "../accounts/sessions";
import { connectDatabase } from "../db/client";
import type { Ledger, Rescue } from "../ledger/verbs";
import { withLive } from "../live-settings/effective";
import type { LiveSettings } from "../live-settings/live-settings";
import type { PriceBook } from "../price-book/price-version";
import type { Settings } from "../settings";
import { forgetSettings } from "../tasks/kept-settings";
import { sweepPayments } from "../topup/payments";
import { stripeOf } from "../topup/stripe";
import { finishRedemptions } from "../topup/vouchers";
import type { Providers } from "../upstream/providers";
import { provideSiteParts } from "./site-parts";

export interface SiteOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly secret: string;
  readonly pool: pg.Pool;
  readonly ledger: Ledger & Rescue;
  readonly priceBook: PriceBook;
  readonly live: LiveSettings;
  readonly providers: Providers;
  reportProblem(fields: object, message: string): void;
}

const REDEMPTIONS_EVERY_MS = 60_000;

/** Gives the pages and their `/api` what they need of this process, and finishes vouchers and payments that a crash left half-done. */
export function openSite(options: SiteOptions): { close(): Promise<void> } {
  const { databaseUrl, secret, pool, ledger, priceBook, live, providers, reportProblem } = options;
  const settings = withLive(options.settings, live.value);
  const database = connectDatabase(databaseUrl);
  const sessions = createSessionBook(database);
  provideSiteParts({ settings, live, secret, database, pool, ledger, priceBook, providers, sessions, reportProblem });
  const stripe = stripeOf(settings);
  let finishing: Promise<unknown> = Promise.resolve();
  const finish = () => {
    finishing = Promise.all([
      finishRedemptions(pool, ledger).catch((err: unknown) => reportProblem({ err }, "vouchers could not be finished")),
      sweepPayments({ pool, ledger }, stripe).catch((err: unknown) => reportProblem({ err }, "payments could not be finished")),
      forgetSettings(pool).catch((err: unknown) => reportProblem({ err }, "prompts of old results could not be removed")),
    ]);
  };
  finish();
  const timer = setInterval(finish, REDEMPTIONS_EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await finishing;
      await database.$disconnect();
    },
  };
}
