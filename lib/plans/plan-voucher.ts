/** Vouchers of a plan: each puts an account on it for a number of periods. */
import type pg from "pg";
import { newId } from "../crypto/ids";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { lockAccountPlan, planOf } from "./account-plan";
import { beginPlan } from "./plan-events";
import { setRenewal } from "./renewals";

const redeemQuery = `
update voucher v set redeemed_at = now(), redeemed_account_id = $1, credited_at = now()
  from voucher_batch b where b.id = v.batch_id and b.plan_id is not null and v.code_hash = $2
   and v.redeemed_at is null and v.cancelled_at is null and (v.expires_at is null or v.expires_at > now())
returning v.id, b.plan_id as "planId", b.plan_periods as periods`;

interface Voucher {
  readonly id: string;
  readonly planId: string;
  readonly periods: number;
}

/** Adds its periods to those that the account has paid of the plan. */
async function extend(client: pg.ClientBase, accountId: string, voucher: Voucher): Promise<bigint> {
  const plan = await planOf(client, voucher.planId);
  const own = await lockAccountPlan(client, accountId);
  if (own === undefined) {
    const id = newId("accountPlan");
    await beginPlan(client, plan, { id, accountId, actor: voucher.id });
    await client.query("update account_plan set periods_left = $2 where id = $1", [
      id,
      voucher.periods - 1,
    ]);
    return BigInt(plan.points);
  }
  if (own.planId !== plan.id || own.periodsLeft === null)
    throw new RelayError("invalid_value", {
      param: "code",
      message:
        "The account is on a plan to which this voucher adds no period. Redeem it after its end.",
      fault: { name: "voucher_of_other_plan" },
    });
  if (own.nextPlanId !== null) await setRenewal(client, own.id, null);
  await client.query(
    "update account_plan set periods_left = periods_left + $2, ends_with_period = false, next_plan_id = null where id = $1",
    [own.id, voucher.periods],
  );
  return 0n;
}

/**
 * Redeems a voucher of a plan, all in one commit: null if the code is of no such voucher, else the
 * points that it gave at once. Rejects with `invalid_value` while the account is on another plan, or on
 * one that no voucher pays.
 */
export function redeemPlanVoucher(
  pool: pg.Pool,
  { accountId, codeHash }: { readonly accountId: string; readonly codeHash: Uint8Array },
): Promise<bigint | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Voucher>(redeemQuery, [accountId, codeHash]);
    return rows[0] === undefined ? null : extend(client, accountId, rows[0]);
  });
}
