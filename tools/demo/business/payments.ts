/** Card payments: opened, paid or not, and what the payment provider said of them later. */
import { receiveEvent, startPayment } from "@/lib/topup/payments";
import { signedEvent } from "@/testing/topup/stripe";
import type { TestSession } from "@/testing/topup/test-session";
import { CUSTOMER } from "../people";
import type { Writing } from "../writing";

async function open(writing: Writing, email: string, packageName: string): Promise<TestSession> {
  const { demo, given, packages } = writing;
  const { paymentId } = await startPayment(demo, given.payments.stripe, {
    accountId: writing.person(email).accountId,
    email,
    packageId: packages.get(packageName) ?? "",
    returnUrl: `${demo.settings.publicUrl}/points`,
  });
  return given.payments.sessionOf(paymentId);
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
  const session = await open(writing, email, packageName);
  writing.later(4 / 3, async () => {
    writing.given.payments.pay(session);
    await say(writing, "checkout.session.completed", session);
    then(session);
  });
}

const refundOf = ({ payment_intent, currency }: TestSession, amount: number) => ({
  ...{ object: "charge", amount_refunded: amount, currency, payment_intent },
});

const disputeOf = (session: TestSession, status: string) => {
  const { id, payment_intent, currency, amount_total: amount } = session;
  return { object: "dispute", id: `dp_${id}`, amount, currency, status, payment_intent };
};

/** One payment for every state, and for every reason to look at one. */
export function addSpecialPayments(writing: Writing): void {
  const later = (daysAgo: number, hour: number, type: string, object: object) =>
    writing.at(daysAgo, hour, () => say(writing, type, object));
  const unpaid = async (email: string, packageName: string, type: string, minutes: number) => {
    const session = await open(writing, email, packageName);
    if (type === "") return;
    const object = { ...session, status: "complete", payment_status: "unpaid" };
    writing.later(minutes, () => say(writing, type, object));
  };
  const ava = "ava@mitchell-brothers.example";
  writing.at(87, 9, () => buy(writing, CUSTOMER, "Studio"));
  // This one or the one 24 days ago is in the last month, whatever day it is.
  writing.at(52, 9, () => buy(writing, CUSTOMER, "Starter"));
  writing.at(50, 18, () => unpaid(CUSTOMER, "Starter", "checkout.session.async_payment_failed", 9));
  writing.at(33, 20, () => unpaid(CUSTOMER, "Studio", "checkout.session.expired", 60));
  writing.at(24, 13, () =>
    buy(writing, CUSTOMER, "Starter", (session) =>
      later(21, 10, "charge.refunded", refundOf(session, 495)),
    ),
  );
  writing.at(48, 15, () =>
    buy(writing, ava, "Starter", (session) => {
      later(28, 8, "charge.dispute.created", disputeOf(session, "needs_response"));
      later(19, 8, "charge.dispute.closed", disputeOf(session, "lost"));
    }),
  );
  writing.at(11, 15, () =>
    buy(writing, "tomas@solano-travel.example", "Starter", (session) =>
      later(2, 7, "charge.dispute.created", disputeOf(session, "needs_response")),
    ),
  );
  writing.at(8, 12, async () => {
    const session = await open(writing, "daniel@harborware.example", "Scale");
    const paid = { ...session, status: "complete", payment_status: "paid", amount_total: 3990 };
    const object = { ...paid, payment_intent: `pi_${session.id}` };
    await say(writing, "checkout.session.completed", object);
  });
  writing.at(9, 12, () =>
    buy(writing, "chen.wei@qinghe-media.example", "Studio (USD)", ({ payment_intent }) =>
      later(3, 14, "refund.failed", { object: "refund", payment_intent }),
    ),
  );
  writing.ago(19, () => unpaid(CUSTOMER, "Studio", "checkout.session.completed", 3));
  writing.ago(0.5, () => unpaid(CUSTOMER, "Scale", "", 0));
}
