/** Card payments: opened, paid or not, and what the payment provider said of them later. */
import { receiveEvent, startPayment } from "@/lib/topup/payments";
import { signedEvent } from "@/testing/topup/stripe";
import type { TestSession } from "@/testing/topup/test-session";
import { CUSTOMER } from "../people";
import { HOUR, MINUTE, momentOf } from "../rhythm";
import type { Writing } from "../writing";

const PAYING_MS = 80_000;

interface OpenPayment {
  readonly id: string;
  readonly session: TestSession;
}

async function open(writing: Writing, email: string, packageName: string): Promise<OpenPayment> {
  const { demo, given, packages } = writing;
  const { paymentId } = await startPayment(demo, given.payments.stripe, {
    accountId: writing.person(email).accountId,
    email,
    packageId: packages.get(packageName) ?? "",
    returnUrl: `${demo.settings.publicUrl}/points`,
  });
  return { id: paymentId, session: given.payments.sessionOf(paymentId) };
}

function say({ demo, given }: Writing, type: string, object: object): Promise<void> {
  const { stripe } = given.payments;
  return receiveEvent(demo, stripe, signedEvent(stripe.webhookSecret, type, object));
}

/** Opens a payment that is paid a minute later; `then` follows. */
export async function buy(
  writing: Writing,
  email: string,
  packageName: string,
  then: (session: TestSession) => void = () => {},
): Promise<void> {
  const { session } = await open(writing, email, packageName);
  const { timeline, demo, given } = writing;
  timeline.add(demo.clock.now() + PAYING_MS, async () => {
    given.payments.pay(session);
    await say(writing, "checkout.session.completed", session);
    then(session);
  });
}

const refundOf = ({ payment_intent, currency }: TestSession, amount: number) => ({
  object: "charge",
  amount_refunded: amount,
  currency,
  payment_intent,
});

const disputeOf = (
  { id, payment_intent, currency, amount_total }: TestSession,
  status: string,
) => ({
  object: "dispute",
  id: `dp_${id}`,
  amount: amount_total,
  currency,
  status,
  payment_intent,
});

/** One payment for every state, and for every reason to look at one. */
export function addSpecialPayments(writing: Writing): void {
  const { timeline, given } = writing;
  const { end } = given;
  const at = (daysAgo: number, hour: number, run: () => Promise<unknown>) =>
    timeline.add(momentOf(end, daysAgo, hour), run);
  const later = (daysAgo: number, hour: number, type: string, object: object) =>
    at(daysAgo, hour, () => say(writing, type, object));
  const unpaid = async (email: string, packageName: string, type: string, minutes: number) => {
    const { session } = await open(writing, email, packageName);
    if (type === "") return;
    const object = { ...session, status: "complete", payment_status: "unpaid" };
    timeline.add(writing.demo.clock.now() + minutes * MINUTE, () => say(writing, type, object));
  };
  at(87, 9, () => buy(writing, CUSTOMER, "Studio"));
  at(50, 18, () => unpaid(CUSTOMER, "Starter", "checkout.session.async_payment_failed", 9));
  at(33, 20, () => unpaid(CUSTOMER, "Studio", "checkout.session.expired", 60));
  at(24, 13, () =>
    buy(writing, CUSTOMER, "Starter", (session) =>
      later(21, 10, "charge.refunded", refundOf(session, 495)),
    ),
  );
  const ava = "ava@mitchell-brothers.example";
  at(48, 15, () =>
    buy(writing, ava, "Starter", (session) => {
      later(28, 8, "charge.dispute.created", disputeOf(session, "needs_response"));
      later(19, 8, "charge.dispute.closed", disputeOf(session, "lost"));
    }),
  );
  at(11, 15, () =>
    buy(writing, "tomas@solano-travel.example", "Starter", (session) =>
      later(2, 7, "charge.dispute.created", disputeOf(session, "needs_response")),
    ),
  );
  at(8, 12, async () => {
    const { session } = await open(writing, "daniel@harborware.example", "Scale");
    const paid = { ...session, status: "complete", payment_status: "paid", amount_total: 3990 };
    const object = { ...paid, payment_intent: `pi_${session.id}` };
    await say(writing, "checkout.session.completed", object);
  });
  at(9, 12, () =>
    buy(writing, "chen.wei@qinghe-media.example", "Studio (USD)", (session) => {
      const failed = { object: "refund", payment_intent: session.payment_intent };
      later(3, 14, "refund.failed", failed);
    }),
  );
  const soon = (hoursAgo: number, run: () => Promise<unknown>) =>
    timeline.add(end - hoursAgo * HOUR, run);
  soon(19, () => unpaid(CUSTOMER, "Studio", "checkout.session.completed", 3));
  soon(0.5, () => unpaid(CUSTOMER, "Scale", "", 0));
}
