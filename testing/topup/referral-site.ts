/** A site with payments, and accounts that came by the links of others. */
import pg from "pg";
import { createAccount } from "@/lib/accounts/create-account";
import { referralRules } from "@/lib/accounts/referral";
import { setLiveSetting } from "@/lib/commands/settings";
import type { LiveSettingName } from "@/lib/contract/setting-names";
import { startPayment } from "@/lib/topup/payments";
import { decideReferrals } from "@/lib/topup/referrals";
import { ownerUrlOf } from "@/testing/db/test-database";
import { startPaymentSite } from "./payment-site";

const standard = {
  referral_points: "25",
  referral_days: "14",
  referral_month_max: "none",
  referral_total_max: "none",
};

const rewards =
  "select ref, amount::int / 1000000 as points from ledger_entry where kind = 'referral' and account_id = $1 order by id";

export async function startReferralSite() {
  const payments = await startPaymentSite();
  const { deps, databaseUrl } = payments.site;
  const other = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const owner = new pg.Pool({ connectionString: ownerUrlOf(databaseUrl), max: 1 });
  let settings: Record<string, string> = standard;
  let people = 0;

  async function set(changes: Record<string, string>): Promise<void> {
    settings = { ...settings, ...changes };
    for (const [name, value] of Object.entries(changes))
      await setLiveSetting(deps, "cli", { name, value });
  }
  async function newAccount(code?: string, email = `ref${++people}@example.com`): Promise<string> {
    const rules = referralRules((name) => settings[name] ?? "");
    const account = { email, cameBy: { code, rules } };
    return (await createAccount(deps.database, deps.ledger, account)).accountId;
  }
  const codeOf = async (id: string) =>
    (await deps.database.account.findUniqueOrThrow({ where: { id } })).referralCode;
  const referralOf = (accountId: string) =>
    deps.database.referral.findUnique({ where: { accountId } });
  async function startTopup(accountId: string) {
    const place = { packageId: "pkg_a", returnUrl: "http://localhost:3000/points" };
    const order = { accountId, email: null, ...place };
    const { paymentId } = await startPayment(deps, payments.fake.stripe, order);
    const session = payments.fake.pay(payments.fake.sessionOf(paymentId));
    return { paymentId, session, intent: session.payment_intent ?? "" };
  }
  const paid = (session: object) => payments.send("checkout.session.completed", session);
  /** Lets time pass since the account's first top-up. */
  const age = (accountId: string, days: number) =>
    owner.query(
      "update referral set paid_at = paid_at - make_interval(days => $2) where account_id = $1",
      [accountId, days],
    );
  async function pair() {
    const referrer = await newAccount();
    return { referrer, referred: await newAccount(await codeOf(referrer)) };
  }
  return {
    ...{ payments, deps, owner, set, newAccount, codeOf, referralOf, startTopup, paid, age, pair },
    /** The settings as they were last set, without the time that they need to arrive. */
    live: { ...deps.live, value: (name: LiveSettingName) => settings[name] ?? "" },
    usual: () => set(standard),
    outcomeOf: async (accountId: string) => (await referralOf(accountId))?.outcome,
    async rewards(accountId: string) {
      return (await deps.pool.query<{ ref: string; points: number }>(rewards, [accountId])).rows;
    },
    /** A referred account whose first top-up is old enough. */
    async ripePair() {
      const both = await pair();
      const topup = await startTopup(both.referred);
      await paid(topup.session);
      await age(both.referred, 14);
      return { ...both, ...topup };
    },
    /** As from many processes. */
    decideOften: () =>
      Promise.all([deps.pool, other, deps.pool, other].map((pool) => decideReferrals(pool))),
    async close() {
      await Promise.all([other.end(), owner.end()]);
      await payments.close();
    },
  };
}
