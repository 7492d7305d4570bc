/** What became of an account's own link, and of the link that it came by. Read-only. */
import { referralRules, referrerOf } from "../accounts/referral";
import type { ReferralOffer, ReferralState, ReferralView } from "../contract/referral";
import { formatPoints } from "../money/points";
import type { QueryDeps } from "./query-deps";

interface LineRow {
  readonly at: Date;
  readonly points: string;
  readonly outcome: string | null;
}

interface SumRow {
  readonly code: string;
  readonly signedUp: number;
  readonly paid: number;
  readonly rewarded: number;
  readonly earned: string;
}

const text = (points: string) => formatPoints(BigInt(points));

const stateOf = (outcome: string | null): ReferralState =>
  outcome === null ? "waiting" : outcome === "rewarded" ? "rewarded" : "not_counted";

const linesQuery =
  "select paid_at as at, points, outcome from referral where referrer_id = $1 and paid_at is not null order by paid_at desc limit $2";
const LINES_MAX = 20;

const sumsQuery = `
select a.referral_code as code, count(r.account_id)::int as "signedUp", count(r.paid_at)::int as paid, count(r.account_id) filter (where r.outcome = 'rewarded')::int as rewarded,
       coalesce(sum(r.points) filter (where r.outcome = 'rewarded'), 0)::text as earned
  from account a left join referral r on r.referrer_id = a.id where a.id = $1 group by a.id`;

/** Null where links are off and the account has nothing to do with any. */
export async function showReferral(
  { pool, live }: Pick<QueryDeps, "pool" | "live">,
  { accountId, linesMax = LINES_MAX }: { accountId: string; linesMax?: number },
): Promise<ReferralView | null> {
  const { points, ...rules } = referralRules(live.value);
  const [sums, lines, own] = await Promise.all([
    pool.query<SumRow>(sumsQuery, [accountId]),
    pool.query<LineRow>(linesQuery, [accountId, linesMax]),
    pool.query<LineRow>("select points, outcome from referral where account_id = $1", [accountId]),
  ]);
  const [sum, came] = [sums.rows[0], own.rows[0]];
  if (sum === undefined || (points <= 0n && sum.signedUp === 0 && came === undefined)) return null;
  return {
    ...rules,
    ...sum,
    points: formatPoints(points),
    earned: text(sum.earned),
    lines: lines.rows.map((line) => ({
      at: line.at.toISOString(),
      points: text(line.points),
      state: stateOf(line.outcome),
    })),
    own: came === undefined ? null : { points: text(came.points), state: stateOf(came.outcome) },
  };
}

/** What a link promises; null for one without use. */
export async function showReferralOffer(
  { database, live }: Pick<QueryDeps, "database" | "live">,
  { code }: { code: string },
): Promise<ReferralOffer | null> {
  const rules = referralRules(live.value);
  const referrer = await referrerOf(database, { code, rules });
  return referrer && { code, points: formatPoints(rules.points), days: rules.days };
}
