/** Tests of whom a referral link counts for, what is seen of it, and what a cut or an end leaves. */
import { beforeEach, expect, test } from "vitest";
import { startReferralSite } from "@/testing/topup/referral-site";
import { opened } from "@/testing/unit/opened";
import { identityStore } from "../accounts/identities";
import { referralRules } from "../accounts/referral";
import { suspendAccount } from "../commands/accounts";
import { closeAccount } from "../commands/close-account";
import { auditLedger } from "../ledger/audit/audit";
import { showReferral } from "../queries/referrals";
import { decideReferrals } from "./referrals";

const site = await opened(startReferralSite());
beforeEach(() => site.usual());

const suspend = (accountId: string) =>
  suspendAccount(site.deps, "cli", { accountId, reason: "Unpaid" });
const close = (accountId: string) => closeAccount(site.deps, "cli", { accountId });

interface Link {
  readonly code: string;
  readonly referrer: string;
}
test.each<[string, string, string | undefined, (link: Link) => unknown]>([
  ["unknown", "0123456789abcdef", undefined, () => {}],
  ["no code at all", "' or 1=1 --", undefined, () => {}],
  ["of a suspended account", "", undefined, ({ referrer }) => suspend(referrer)],
  ["of a closed account", "", undefined, ({ referrer }) => close(referrer)],
  ["switched off", "", undefined, () => site.set({ referral_points: "0" })],
  ["of the same mailbox", "", "self+2@example.com", () => {}],
])(
  "a link without use is ignored, and the account created all the same: %s",
  async (_, code, email, happen) => {
    const referrer = await site.newAccount(undefined, "self@example.com");
    const link = { code: code || (await site.codeOf(referrer)), referrer };
    await happen(link);
    const referred = await site.newAccount(link.code, email);
    expect(await site.referralOf(referred)).toBeNull();
    await Promise.all([close(referrer), close(referred)]);
  },
);

test("an account that another service or a mailed link creates came by the link too", async () => {
  const referrer = await site.newAccount();
  const cameBy = { code: await site.codeOf(referrer), rules: referralRules(site.live.value) };
  const sender = { address: async () => undefined, cameBy: async () => cameBy };
  const store = identityStore(site.deps, sender);
  const { id } = await store.createUser({ email: "oauth@example.com", emailVerified: null });
  const user = await site.deps.database.user.findUniqueOrThrow({ where: { id } });
  expect(await site.referralOf(user.accountId)).toMatchObject({ referrerId: referrer });
});

test.each(["a.da@gmail.com", "ada+x@googlemail.com", "ADA@gmail.com"])(
  "who takes a mailbox of the referrer later gets nothing: %s",
  async (email) => {
    const { referrer, referred } = await site.ripePair();
    const { user } = site.deps.database;
    const rename = (accountId: string, to: string) =>
      user.updateMany({ where: { accountId }, data: { email: to.toLowerCase() } });
    await rename(referrer, email);
    await rename(referred, "ada+other@gmail.com");
    await site.decideOften();
    expect(await site.outcomeOf(referred)).toBe("same_person");
    await Promise.all([close(referrer), close(referred)]);
  },
);

test("a mailbox comes by a link once, by whosever link, and under whichever of its addresses", async () => {
  const pairs = await Promise.all([site.ripePair(), site.ripePair(), site.ripePair()]);
  for (const [index, { referred: accountId }] of pairs.entries())
    await site.deps.database.user.updateMany({
      where: { accountId },
      data: { email: `guest+${index}@guest.example` },
    });
  await site.decideOften();
  const outcomes = await Promise.all(pairs.map(({ referred }) => site.outcomeOf(referred)));
  expect(outcomes.sort()).toEqual(["rewarded", "same_person", "same_person"]);
});

test("nothing is decided while an account is suspended; links that were switched off give nothing", async () => {
  const { referrer, referred } = await site.ripePair();
  await suspend(referrer);
  await site.decideOften();
  expect(await site.outcomeOf(referred)).toBeNull();
  const second = await site.ripePair();
  await site.set({ referral_points: "0" });
  await site.decideOften();
  expect(await site.outcomeOf(second.referred)).toBe("off");
  expect(await site.rewards(second.referrer)).toEqual([]);
});

test("a process that dies before its commit leaves nothing; another one gives the points, once", async () => {
  const { referrer, referred } = await site.ripePair();
  const client = await site.deps.pool.connect();
  client.on("error", () => {});
  await client.query("begin");
  const { rows } = await client.query<{ outcome: string; pid: number }>(
    "select referral_decide($1, 14, null, null, null) as outcome, pg_backend_pid() as pid",
    [referred],
  );
  expect(rows[0]?.outcome).toBe("rewarded");
  const meanwhile = decideReferrals(site.deps.pool);
  await site.deps.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  client.release(true);
  expect(await meanwhile).toBe(1);
  expect([await site.rewards(referrer), await site.rewards(referred)]).toEqual([
    [{ ref: `${referred}:referrer`, points: 25 }],
    [{ ref: `${referred}:referred`, points: 25 }],
  ]);
});

test("requests that lock both wallets at the same moment are not in its way", async () => {
  const pairs = await Promise.all([site.ripePair(), site.ripePair(), site.ripePair()]);
  const credits = pairs.flatMap(({ referrer, referred }) =>
    [referred, referrer].map((accountId, at) =>
      site.deps.ledger.credit({
        ...{ accountId, kind: "grant", ref: `${accountId}-${at}`, amount: 1_000_000n },
        ...{ reason: "test", actor: "cli" },
      }),
    ),
  );
  await Promise.all([...credits, site.decideOften()]);
  for (const { referrer } of pairs) expect(await site.payments.pointsOf(referrer)).toBe(26);
});

test("an account sees dates and points of its own link only, and nobody's name or address", async () => {
  const { referrer, referred } = await site.ripePair();
  const waiting = await site.newAccount(await site.codeOf(referrer));
  await site.paid((await site.startTopup(waiting)).session);
  await site.newAccount(await site.codeOf(referrer));
  await site.decideOften();
  const showDeps = { ...site.deps, live: site.live };
  const show = (accountId: string) => showReferral(showDeps, { accountId });
  const seen = await show(referrer);
  expect(seen).toMatchObject({ signedUp: 3, paid: 2, rewarded: 1, earned: "25.000000", own: null });
  expect(seen?.lines.map(({ state }) => state)).toEqual(["waiting", "rewarded"]);
  const newest = await showReferral(showDeps, { accountId: referrer, linesMax: 1 });
  expect(newest).toMatchObject({ paid: 2, lines: [{ state: "waiting" }] });
  expect(JSON.stringify(seen)).not.toMatch(/acct|@|pay_/);
  expect(await show(referred)).toMatchObject({
    ...{ signedUp: 0, rewarded: 0, earned: "0.000000", lines: [] },
    own: { points: "25.000000", state: "rewarded" },
  });
  const stranger = await site.newAccount();
  expect(await show(stranger)).toMatchObject({ signedUp: 0, lines: [], own: null });
  await site.set({ referral_points: "0" });
  expect(await show(stranger)).toBeNull();
  expect(await show(referrer)).toMatchObject({ rewarded: 1, points: "0.000000" });
});

test("who leaves is erased from what is open; what was given stays in the ledger", async () => {
  const open = await site.ripePair();
  await close(open.referred);
  expect(await site.referralOf(open.referred)).toBeNull();
  const left = await site.ripePair();
  await close(left.referrer);
  expect(await site.referralOf(left.referred)).toBeNull();
  const given = await site.ripePair();
  await site.decideOften();
  await close(given.referrer);
  expect(await site.outcomeOf(given.referred)).toBe("rewarded");
});

test("the audit finds a reward without its entries, and another amount", async () => {
  const { referred } = await site.ripePair();
  await site.decideOften();
  const broken = async () => {
    const client = await site.deps.pool.connect();
    const { checks } = await auditLedger(client);
    client.release();
    return checks.filter(({ ok }) => !ok).map(({ name }) => name);
  };
  const name = expect.stringMatching(/^every rewarded referral is two entries/);
  expect(await broken()).toEqual([]);
  for (const change of ["points = points + 1", "outcome = 'capped'"]) {
    const where = `from referral where account_id = $1`;
    const { rows } = await site.owner.query(`select points, outcome ${where}`, [referred]);
    await site.owner.query(`update referral set ${change} where account_id = $1`, [referred]);
    expect(await broken()).toEqual([name]);
    const back = "update referral set points = $2, outcome = $3 where account_id = $1";
    await site.owner.query(back, [referred, rows[0].points, rows[0].outcome]);
  }
  expect(await broken()).toEqual([]);
});
