/**
 * Payments, automatic top-up, referral links and archived requests, by a stranger's free account.
 * Bound: 20 s each (brief: 2 s) over at most 64 connections.
 */
import { autoTopupEndpoints } from "@/lib/contract/auto-topup";
import { STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";
import { REFERRAL_COOKIE } from "@/lib/contract/referral";
import { defaultPageBounds } from "@/lib/limits/page-limiter";
import type { Attack, Means } from "../attack";
import { flood } from "../flood";
import { request } from "../requests";

const length = ({ isBrief }: Means) => (isBrief ? 2_000 : 20_000);

/** Each address is another one, and most of them are of one mailbox. */
const mailbox = (index: number, mark: string) =>
  index % 4 === 0 ? `friend-${mark}-${index}@example.net` : `own-${mark}+${index}@example.net`;

const referrals: Attack = {
  name: "flood-referrals",
  what: "sign-ups by the own referral link, from one address and most of them of one mailbox",
  async run(means, tally) {
    const { target, origin, shop } = means;
    if (shop === null) return;
    const mark = Date.now().toString(36);
    const headers = { origin, cookie: `${REFERRAL_COOKIE}=${shop.referralCode}` };
    await flood(target, tally, {
      connections: 32,
      milliseconds: length(means),
      request: (index) =>
        request(target, "POST", "/api/sign-up", headers, {
          email: mailbox(index, mark),
          password: "a long enough password",
        }),
      label: "sign-ups by a referral link",
    });
  },
};

const { setAutoTopup, stopAutoTopup, checkCard, saveCard } = autoTopupEndpoints;
const terms = { packageId: "pkg_none", threshold: "1000000", monthMax: 1_000_000 };
const paying = [
  { path: "/api/payments", body: { packageId: "pkg_none" } },
  { path: "/api/payments/pay_none/check" },
  { path: setAutoTopup.path, body: terms },
  { path: saveCard.path },
  { path: checkCard.path.replace("{id}", "cs_none"), body: {} },
  { path: stopAutoTopup.path, body: {} },
  { path: "/api/vouchers/redeem", body: { code: "ABCD-EFGH" } },
];

const topUps: Attack = {
  name: "flood-top-ups",
  what: "payments, cards, automatic top-up and vouchers that are not there, by one session",
  async run(means, tally) {
    const { target, origin, sessions, processes } = means;
    const [cookie] = sessions;
    if (cookie === undefined) return;
    const all = paying.map(({ path, body }) =>
      request(target, "POST", path, { origin, cookie }, body ?? {}),
    );
    await flood(target, tally, {
      connections: 16,
      milliseconds: length(means),
      request: (index) => all[index % all.length] ?? Buffer.alloc(0),
      label: "top-ups by one session",
      acceptedPerMinuteMax: defaultPageBounds.user.write,
      processes,
    });
  },
};

const PAID = "checkout.session.completed";

const forgedEvents: Attack = {
  name: "flood-forged-payments",
  what: "events of payments that the provider did not sign, small and of 60 KB",
  async run(means, tally) {
    const { target } = means;
    const events = ["", "x".repeat(60_000)].map((filler) => {
      const object = { id: "cs_1", payment_status: "paid", amount_total: 500, filler };
      const at = Math.floor(Date.now() / 1000);
      const headers = { "stripe-signature": `t=${at},v1=${"0".repeat(64)}` };
      const body = { id: `evt_${filler.length}`, type: PAID, data: { object } };
      return request(target, "POST", STRIPE_EVENTS_PATH, headers, body);
    });
    await flood(target, tally, {
      connections: 64,
      milliseconds: length(means),
      request: (index) => events[index % events.length] ?? Buffer.alloc(0),
      label: "forged events",
      onAnswer({ status }) {
        if (status < 300) tally.fault(`a forged event was taken with ${status}`);
      },
    });
  },
};

const archived: Attack = {
  name: "flood-archived",
  what: "requests that are only in archived files, by one session",
  async run(means, tally) {
    const { target, shop } = means;
    if (shop === null || shop.archived.length === 0) return;
    const all = shop.archived.map((id) =>
      request(target, "GET", `/api/requests/${id}`, { cookie: shop.archivist }),
    );
    await flood(target, tally, {
      connections: 64,
      milliseconds: length(means),
      request: (index) => all[index % all.length] ?? Buffer.alloc(0),
      label: "archived requests",
    });
  },
};

export const shopAttacks: readonly Attack[] = [referrals, topUps, forgedEvents, archived];
