/** Tests of referral links: who gets points, when, and that it happens once. */
import { beforeEach, expect, test } from "vitest";
import { startReferralSite } from "@/testing/topup/referral-site";
import { chargeOf, disputeOf } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { sweepPayments } from "./payments";

const site = await opened(startReferralSite());
beforeEach(() => site.usual());

test("both get what the link promised, when the first top-up is old enough; twenty webhooks and every sweep give it once", async () => {
  const { referrer, referred } = await site.pair();
  await site.set({ referral_points: "30" });
  const { session } = await site.startTopup(referred);
  await Promise.all(Array.from({ length: 20 }, () => site.paid(session)));
  await site.age(referred, 13);
  await site.decideOften();
  expect([await site.rewards(referrer), await site.rewards(referred)]).toEqual([[], []]);
  await site.age(referred, 1);
  await Promise.all([site.decideOften(), site.paid(session), sweepPayments(site.deps, null)]);
  await site.decideOften();
  expect(await site.rewards(referrer)).toEqual([{ ref: `${referred}:referrer`, points: 25 }]);
  expect(await site.rewards(referred)).toEqual([{ ref: `${referred}:referred`, points: 25 }]);
  expect(await site.payments.pointsOf(referrer)).toBe(25);
  expect(await site.payments.pointsOf(referred)).toBe(125);
});

test("two top-ups at once, and later ones, bring one reward", async () => {
  const { referrer, referred } = await site.pair();
  const topups = await Promise.all([site.startTopup(referred), site.startTopup(referred)]);
  await Promise.all(topups.map(({ session }) => site.paid(session)));
  await site.age(referred, 20);
  await site.decideOften();
  await site.paid((await site.startTopup(referred)).session);
  await site.age(referred, 20);
  await site.decideOften();
  expect(await site.rewards(referrer)).toHaveLength(1);
  expect(await site.payments.pointsOf(referred)).toBe(325);
});

test.each<[string, (intent: string) => Promise<unknown>, string | null]>([
  [
    "a refund, however small",
    (intent) => site.payments.send("charge.refunded", chargeOf(intent, 1)),
    "refunded",
  ],
  [
    "an open dispute",
    (intent) => site.payments.send("charge.dispute.created", disputeOf(intent, "needs_response")),
    null,
  ],
  [
    "a lost dispute",
    (intent) => site.payments.send("charge.dispute.closed", disputeOf(intent, "lost")),
    "refunded",
  ],
  [
    "a won dispute",
    (intent) => site.payments.send("charge.dispute.closed", disputeOf(intent, "won")),
    "rewarded",
  ],
])("before it is decided: %s", async (_, happen, outcome) => {
  const { referrer, referred, intent } = await site.ripePair();
  await happen(intent);
  await site.decideOften();
  expect(await site.outcomeOf(referred)).toBe(outcome);
  // A later top-up changes nothing.
  await site.paid((await site.startTopup(referred)).session);
  await site.age(referred, 14);
  await site.decideOften();
  expect(await site.outcomeOf(referred)).toBe(outcome);
  expect(await site.rewards(referrer)).toHaveLength(outcome === "rewarded" ? 1 : 0);
});

test("a dispute that is won afterwards brings the reward", async () => {
  const { referred, intent } = await site.ripePair();
  await site.payments.send("charge.dispute.created", disputeOf(intent, "needs_response"));
  await site.decideOften();
  expect(await site.outcomeOf(referred)).toBeNull();
  await site.payments.send("charge.dispute.closed", disputeOf(intent, "won"));
  await site.decideOften();
  expect(await site.outcomeOf(referred)).toBe("rewarded");
});

test.each([
  ["referral_month_max", 1],
  ["referral_total_max", 0],
] as const)("%s is exact, whoever decides at the same moment", async (name, later) => {
  const referrer = await site.newAccount();
  const code = await site.codeOf(referrer);
  const referred = await Promise.all(Array.from({ length: 9 }, () => site.newAccount(code)));
  for (const account of referred) await site.paid((await site.startTopup(account)).session);
  await Promise.all(referred.slice(1).map((account) => site.age(account, 14)));
  await site.set({ [name]: "3" });
  const max = { referral_month_max: null, referral_total_max: null, [name]: 3 };
  const decide = (account: string) =>
    site.deps.pool.query("select referral_decide($1, 14, $2, $3, null)", [
      account,
      max.referral_month_max,
      max.referral_total_max,
    ]);
  // Each on a connection of its own, since a follower decides one after the other.
  await Promise.all([...referred.map(decide), site.decideOften()]);
  const outcomes = await Promise.all(referred.map(site.outcomeOf));
  expect(outcomes.filter((outcome) => outcome === "rewarded")).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === "capped")).toHaveLength(5);
  expect(await site.rewards(referrer)).toHaveLength(3);
  // The link promises nothing any more.
  expect(await site.referralOf(await site.newAccount(code))).toBeNull();
  await site.owner.query(
    "update referral set decided_at = decided_at - interval '30 days' where referrer_id = $1",
    [referrer],
  );
  await site.age(referred[0] ?? "", 14);
  await site.decideOften();
  expect(await site.rewards(referrer)).toHaveLength(3 + later);
});
