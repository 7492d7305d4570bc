import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";

export interface Revenue {
  readonly currency: string;
  readonly payments: number;
  /** In the smallest unit, as all three are. */
  readonly amount: number;
  readonly refunded: number;
  /** Of disputes that are open or lost. */
  readonly disputed: number;
  readonly points: Micropoints;
}

/** The payments since a given time, by currency. */
export async function revenueByCurrency(pool: Reader, from: Date): Promise<Revenue[]> {
  const { rows } = await pool.query<
    Record<"currency" | "amount" | "refunded" | "disputed" | "points", string> & {
      payments: number;
    }
  >(
    `select currency, count(*)::int as payments, sum(amount)::text as amount, sum(refunded)::text as refunded, sum(points)::text as points,
            coalesce(sum((select sum(d.amount) from payment_dispute d where d.payment_id = p.id and d.status <> 'won')), 0)::text as disputed
       from payment p where paid_at >= $1 group by 1 order by 1`,
    [from],
  );
  return rows.map((row) => ({
    currency: row.currency,
    payments: row.payments,
    amount: Number(row.amount),
    refunded: Number(row.refunded),
    disputed: Number(row.disputed),
    points: BigInt(row.points),
  }));
}
