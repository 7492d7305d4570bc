import type pg from "pg";
import { byVoucher, countAttempt } from "../accounts/throttle";
import { RelayError } from "../failures/relay-error";
import type { Ledger } from "../ledger/core/verbs";
import type { Micropoints } from "../money/points";
import { redeemPlanVoucher } from "../plans/plan-voucher";
import { hashVoucherCode } from "./voucher-code";

interface Redeemed {
  readonly id: string;
  readonly account_id: string;
  readonly points: string;
}

const messages = {
  voucher_unknown: "There is no such voucher. Check the code.",
  voucher_used_by_you: "You have already redeemed this voucher.",
  voucher_used: "The voucher was already used.",
  voucher_cancelled: "The voucher was cancelled.",
  voucher_expired: "The voucher has expired.",
} as const;

const refused = (name: keyof typeof messages) =>
  new RelayError("invalid_value", { param: "code", message: messages[name], fault: { name } });

/**
 * Credits a redeemed voucher. The ledger accepts a voucher's id once, so this is safe to repeat;
 * `finishRedemptions` finds what a crash left without a credit. Returns whether this call credited
 * it.
 */
async function credit(pool: pg.Pool, ledger: Ledger, voucher: Redeemed): Promise<boolean> {
  const { result } = await ledger.credit({
    accountId: voucher.account_id,
    kind: "voucher",
    ref: voucher.id,
    amount: BigInt(voucher.points),
    reason: "Voucher",
    actor: "system",
  });
  await pool.query("update voucher set credited_at = now() where id = $1 and credited_at is null", [
    voucher.id,
  ]);
  return result === "done";
}

/**
 * Redeems a voucher: adds its points to the account, once even if several requests race for it. A
 * redemption that was interrupted is completed by sending it again. One of a plan puts the account on
 * it, and answers the points of its first period. Rejects with `invalid_value` (unknown, used, expired) or `sign_in_rate_limited` after too many wrong codes.
 */
export async function redeemVoucher(
  pool: pg.Pool,
  ledger: Ledger,
  request: { accountId: string; code: string },
): Promise<Micropoints> {
  const { accountId, code } = request;
  const uncount = await countAttempt(pool, [byVoucher(accountId)]);
  const codeHash = hashVoucherCode(code);
  const ofPlan = await redeemPlanVoucher(pool, { accountId, codeHash });
  if (ofPlan !== null) {
    await uncount();
    return ofPlan;
  }
  const { rows } = await pool.query<Redeemed>(
    `update voucher set redeemed_at = coalesce(redeemed_at, now()), redeemed_account_id = $1
     where code_hash = $2 and ((redeemed_at is null and cancelled_at is null and (expires_at is null or expires_at > now())) or (redeemed_account_id = $1 and credited_at is null))
     returning id, redeemed_account_id as account_id, points`,
    [accountId, codeHash],
  );
  if (rows[0] !== undefined) {
    const isCredited = await credit(pool, ledger, rows[0]);
    await uncount();
    if (isCredited) return BigInt(rows[0].points);
    throw refused("voucher_used_by_you");
  }
  const found = await pool.query<{
    is_own: boolean | null;
    is_used: boolean;
    is_cancelled: boolean;
  }>(
    "select redeemed_account_id = $1 as is_own, redeemed_at is not null as is_used, cancelled_at is not null as is_cancelled from voucher where code_hash = $2",
    [accountId, codeHash],
  );
  const voucher = found.rows[0];
  if (voucher === undefined) throw refused("voucher_unknown");
  if (voucher.is_own) await uncount();
  throw refused(
    voucher.is_own
      ? "voucher_used_by_you"
      : voucher.is_used
        ? "voucher_used"
        : voucher.is_cancelled
          ? "voucher_cancelled"
          : "voucher_expired",
  );
}

/**
 * Credits the vouchers whose redemption was interrupted; returns how many. Safe to run anywhere,
 * any time.
 */
export async function finishRedemptions(pool: pg.Pool, ledger: Ledger): Promise<number> {
  const { rows } = await pool.query<Redeemed>(
    `select id, redeemed_account_id as account_id, points from voucher
     where redeemed_at < now() - interval '10 seconds' and credited_at is null order by redeemed_at limit 100`,
  );
  for (const voucher of rows) await credit(pool, ledger, voucher);
  return rows.length;
}
