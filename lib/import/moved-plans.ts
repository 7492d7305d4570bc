/** Puts those who subscribed to a plan there on a plan here, with what is left of it. */
import { wantedPlan } from "../commands/account-plans";
import { noteMoved } from "../commands/note-moved";
import { newId } from "../crypto/ids";
import { transact } from "../db/transaction";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { lockAccountPlan, type PlanTerms } from "../plans/account-plan";
import { continuePlan } from "../plans/plan-events";
import { periodStart } from "../plans/plan-periods";
import { readMovedBalances, rememberMoved } from "./book";
import type { ImportContext } from "./context";
import { pointsOfQuota } from "./rate";
import type { PlanThere, Subscription } from "./subscriptions";

/** In one transaction, each with the lock of its account's plan. */
const AT_ONCE = 100;
/** A subscription with more is not moved. */
const PERIODS_MAX = 10_000;

interface MovedSubscription {
  readonly foreignId: string;
  readonly accountId: string;
  readonly plan: PlanTerms;
  /** What the source says is left, and what is: the period that runs may have begun since. */
  readonly left: bigint;
  readonly quota: bigint;
  readonly points: Micropoints;
  /** The end of the period that runs. */
  readonly endsAt: Date;
  /** That were paid there and follow. */
  readonly periodsLeft: number;
}

const dateOf = (seconds: bigint) => new Date(Number(seconds) * 1000);

const labelOf = ({ id, userId, left, endsAt, planId }: Subscription, there?: PlanThere) =>
  `${id} of user ${userId}: ${left === null ? "no limit" : `${left} quota`} until ${dateOf(endsAt).toISOString().slice(0, 10)}, plan ${planId}${there ? ` ${there.title}` : ""}`;

const lengthOf = ({ period, hours }: PlanTerms) =>
  period === "month" ? period : { day: 24, week: 168, hours: hours ?? 1 }[period];

/** The period that runs there at a time, and those that follow it. Null for too many. */
function periodsOf(
  { total, left, resetsAt, endsAt }: Subscription & { left: bigint; total: bigint },
  plan: PlanTerms,
  now: Date,
): Pick<MovedSubscription, "quota" | "endsAt" | "periodsLeft"> | null {
  const [first, end] = [dateOf(resetsAt), dateOf(endsAt)];
  if (resetsAt === 0n || first >= end) return { quota: left, endsAt: end, periodsLeft: 0 };
  let current: { endsAt: Date; isAnew: boolean } | undefined;
  let following = 0;
  for (let at = 0; ; at++) {
    if (at > PERIODS_MAX) return null;
    const startsAt = periodStart(plan, first, at);
    if (startsAt >= end) break;
    if (startsAt <= now) continue;
    if (current === undefined) current = { endsAt: startsAt, isAnew: at > 0 };
    following++;
  }
  // All of its beginnings are over: the last period runs until the end.
  if (current === undefined) return { quota: total, endsAt: end, periodsLeft: 0 };
  return { quota: current.isAnew ? total : left, endsAt: current.endsAt, periodsLeft: following };
}

type Plans = ReadonlyMap<string, PlanTerms>;

/** A text says why not. */
function decide(
  context: ImportContext,
  own: Subscription,
  { plans, busy, now }: { plans: Plans; busy: ReadonlySet<string>; now: Date },
): MovedSubscription | string {
  const { moved, source, plansThere, report } = context;
  const accountId = moved.users.get(own.userId);
  const plan = plans.get(own.planId);
  const resets = plansThere.get(own.planId)?.resets ?? null;
  const { total, left } = own;
  if (accountId === undefined) return "its user did not move";
  if (total === null || left === null) return "has no limit, and points have one";
  if (plan === undefined)
    return "is not taken over, nor its group: name a plan for its plan, as --plans ID=PLAN";
  if (busy.has(accountId)) return "its account is on a plan here already";
  if (own.resetsAt > 0n && own.resetsAt < own.endsAt && resets !== lengthOf(plan))
    return "its quota begins anew at other times than the points of the plan here";
  const found = periodsOf({ ...own, total, left }, plan, now);
  if (found === null) return `has more than ${PERIODS_MAX} periods`;
  const points = pointsOfQuota(found.quota, source.quotaPerPoint);
  if (points > MICROPOINTS_MAX) return "has more than an account can have";
  if (found.periodsLeft > 0 && pointsOfQuota(total, source.quotaPerPoint) !== BigInt(plan.points))
    report.remark(
      "subscriptions",
      labelOf(own),
      "the periods that follow have the points of the plan here, which are not those of its plan",
    );
  return { foreignId: own.id, accountId, plan, left, points, ...found };
}

async function write(context: ImportContext, all: readonly MovedSubscription[]): Promise<void> {
  const { client, source, actor } = context;
  for (const { accountId, plan, points, endsAt, periodsLeft } of all) {
    if ((await lockAccountPlan(client, accountId)) !== undefined)
      throw new Error(`account ${accountId} was put on a plan during the import: run it again`);
    const running = { points, endsAt, periodsLeft };
    await continuePlan(client, plan, { id: newId("accountPlan"), accountId, actor, running });
  }
  const rows = all.map(({ foreignId, accountId, left }) => ({
    ...{ foreignId, targetId: accountId, quota: left },
  }));
  await rememberMoved(client, source.name, "subscription", rows);
  const points = formatPoints(all.reduce((sum, each) => sum + each.points, 0n));
  const told = { source: source.name, what: "subscriptions", count: all.length, points };
  await noteMoved(client, actor, told);
}

async function readBusy({ client, moved }: ImportContext): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `select id from account where id = any($1) and (status = 'closed'
       or exists (select from account_plan p where p.account_id = account.id and p.status <> 'ended'))`,
    [[...moved.users.values()]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Says of which more or less is left there than when they moved. */
async function compareKnown(context: ImportContext, all: readonly Subscription[]) {
  const { client, source, report } = context;
  const ids = all.map(({ id }) => id);
  const before = await readMovedBalances(client, source.name, "subscription", ids);
  const fresh = all.filter((own) => {
    const then = before.get(own.id);
    if (then !== undefined && then !== own.left)
      report.remark(
        "subscriptions",
        `${labelOf(own)}: ${then} then`,
        "what is left of it changed since it moved: not taken over",
      );
    return then === undefined;
  });
  report.counts.subscriptions.found += all.length;
  report.counts.subscriptions.known += all.length - fresh.length;
  return fresh;
}

/** Takes over the subscriptions whose plan there has a plan here: one of each account. */
export async function moveSubscriptions(context: ImportContext): Promise<void> {
  const { client, report, subscriptions, plansThere, isDry } = context;
  const all = [...subscriptions.values()].flat();
  if (all.length === 0) return;
  const fresh = await compareKnown(context, all);
  const plans = new Map<string, PlanTerms>();
  for (const [theirs, ours] of context.plans)
    plans.set(theirs, await wantedPlan(client, ours, false));
  const [busy, now] = [await readBusy(context), new Date()];
  const taken: MovedSubscription[] = [];
  for (const own of fresh) {
    const found = decide(context, own, { plans, busy, now });
    if (typeof found === "string")
      report.leave("subscriptions", labelOf(own, plansThere.get(own.planId)), found);
    else {
      busy.add(found.accountId);
      taken.push(found);
    }
  }
  for (let at = 0; at < taken.length; at += AT_ONCE) {
    const batch = taken.slice(at, at + AT_ONCE);
    if (!isDry) await transact(client, () => write(context, batch));
    for (const { quota, points } of batch) report.took("subscriptions", { quota, points });
    report.progress("subscriptions");
  }
}
