/** A site with two packages and a fake Stripe; closing it audits the ledger. */
import { expect } from "vitest";
import { createAccount } from "@/lib/accounts/create-account";
import { auditLedger } from "@/lib/ledger/audit/audit";
import type { Ledger } from "@/lib/ledger/core/verbs";
import { receiveEvent, startPayment, sweepPayments } from "@/lib/topup/payments";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { signedEvent, startTestStripe } from "./stripe";

const packages = `insert into topup_package (id, name, points, amount, currency)
  values ('pkg_a', 'Small', 100000000, 999, 'eur'), ('pkg_b', 'Big', 1000000000, 8900, 'usd')`;

export type PaymentSite = Awaited<ReturnType<typeof startPaymentSite>>;

export async function startPaymentSite() {
  const site = await startSiteProcess();
  const fake = await startTestStripe();
  const { pool, ledger, database } = site.deps;
  await pool.query(packages);
  let people = 0;

  async function newAccount(): Promise<string> {
    const email = `b${++people}@example.com`;
    return (await createAccount(database, ledger, { email })).accountId;
  }
  /** Sends an event as Stripe would. */
  const send = (
    type: string,
    object: object,
    options: { id?: string; at?: number; ledger?: Ledger } = {},
  ) =>
    receiveEvent(
      { pool, ledger: options.ledger ?? ledger },
      fake.stripe,
      signedEvent(fake.stripe.webhookSecret, type, object, options),
    );
  async function open(packageId = "pkg_a") {
    const accountId = await newAccount();
    const order = {
      accountId,
      email: "b@example.com",
      packageId,
      returnUrl: "http://localhost:3000/points",
    };
    const { paymentId } = await startPayment(site.deps, fake.stripe, order);
    return { accountId, paymentId, session: fake.sessionOf(paymentId) };
  }
  return {
    site,
    fake,
    newAccount,
    send,
    open,
    async bought() {
      const payment = await open();
      fake.pay(payment.session);
      await send("checkout.session.completed", payment.session);
      return { ...payment, intent: payment.session.payment_intent as string };
    },
    /** Completes what a crash left. */
    finish: () => sweepPayments(site.deps, null),
    pointsOf: async (accountId: string) =>
      Number((await ledger.balance(accountId)).available) / 1e6,
    rowOf: async (paymentId: string) =>
      (await pool.query("select * from payment where id = $1", [paymentId])).rows[0],
    async close() {
      const client = await pool.connect();
      const report = await auditLedger(client);
      client.release();
      await fake.close();
      await site.close();
      expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    },
  };
}
