/** Who came by whose link. The points are given later, by `lib/topup/referrals.ts`. */
import type { LiveSettingName } from "../contract/setting-names";
import type { Database, Transaction } from "../db/client";
import { type Micropoints, parsePoints } from "../money/points";
import { isSameMailbox } from "./mailbox";

export interface ReferralRules {
  /** What each of both gets; 0: there are no links. */
  readonly points: Micropoints;
  /** How old the first paid top-up must be. */
  readonly days: number;
  /** The most rewards of a referrer, in 30 days and in all; null for any number. */
  readonly monthMax: number | null;
  readonly totalMax: number | null;
}

const bound = (text: string) => (text === "none" ? null : Number(text));

export function referralRules(value: (name: LiveSettingName) => string): ReferralRules {
  return {
    points: parsePoints(value("referral_points")) ?? 0n,
    days: Number(value("referral_days")),
    monthMax: bound(value("referral_month_max")),
    totalMax: bound(value("referral_total_max")),
  };
}

/** The code of a link, and the rules under which it counts. */
export interface CameBy {
  readonly code: string | undefined;
  readonly rules: ReferralRules;
}

/**
 * The account whose link this is; null where links are off, or it is unknown, not active, or has
 * reached a maximum.
 */
export async function referrerOf(
  database: Pick<Database | Transaction, "account" | "referral">,
  { code = "", rules }: CameBy,
): Promise<{ id: string; emails: readonly string[] } | null> {
  if (rules.points <= 0n || !/^[\da-f]{16}$/.test(code)) return null;
  const found = await database.account.findUnique({
    where: { referralCode: code, status: "active" },
    select: { id: true, members: { select: { user: { select: { email: true } } } } },
  });
  if (found === null) return null;
  const rewarded = { referrerId: found.id, outcome: "rewarded" };
  const monthAgo = new Date(Date.now() - 30 * 86_400_000);
  const [total, month] = await Promise.all([
    database.referral.count({ where: rewarded }),
    database.referral.count({ where: { ...rewarded, decidedAt: { gt: monthAgo } } }),
  ]);
  const { totalMax, monthMax } = rules;
  return total >= (totalMax ?? Infinity) || month >= (monthMax ?? Infinity)
    ? null
    : { id: found.id, emails: found.members.map(({ user }) => user.email) };
}

/** Records the link of a new account, in the transaction that creates it; ignores one without use. */
export async function recordReferral(
  transaction: Transaction,
  account: { readonly id: string; readonly email: string },
  cameBy: CameBy,
): Promise<void> {
  const referrer = await referrerOf(transaction, cameBy);
  if (referrer === null) return;
  if (referrer.emails.some((email) => isSameMailbox(email, account.email))) return;
  const { points } = cameBy.rules;
  const data = { accountId: account.id, referrerId: referrer.id, points };
  await transaction.referral.create({ data, select: { accountId: true } });
}
