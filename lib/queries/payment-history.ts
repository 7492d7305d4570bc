/** Payments for buyers and operators. */
import type { OperatorPaymentView } from "../contract/operator-topup";
import type { Reader } from "../db/pool";
import type { Stored } from "./stored";

export type PaymentLine = Omit<
  Stored<OperatorPaymentView, "points" | "takenBack" | "lost", "createdAt" | "paidAt">,
  "email"
>;

type Counts = "points" | "amount" | "refunded" | "takenBack" | "lost";
type Row = Omit<PaymentLine, Counts> & Record<Counts, string>;

const PAYMENTS_PER_PAGE_MAX = 100;

const columns = `p.id, p.number, p.account_id as "accountId", p.package_name as "packageName", p.plan_id is not null as "isPlan",
  p.points * p.periods as points, p.amount, p.currency, p.credited_at is not null as "isCredited", p.refunded,
  coalesce(r.taken, 0) as "takenBack", coalesce(r.lost, 0) as lost, p.attention, p.created_at as "createdAt", p.paid_at as "paidAt",
  case when p.status = 'created' then 'open' when p.status <> 'paid' then p.status
       when exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'lost') then 'charged_back'
       when exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'open') then 'disputed'
       when p.refunded >= p.amount then 'refunded' when p.refunded > 0 then 'partly_refunded' else 'paid' end as state
  from payment p left join ledger_reversal r on r.ref = p.id`;

const lineOf = (row: Row): PaymentLine => ({
  ...row,
  points: BigInt(row.points),
  amount: Number(row.amount),
  refunded: Number(row.refunded),
  takenBack: BigInt(row.takenBack),
  lost: BigInt(row.lost),
});

interface Page {
  /** Null for all accounts. */
  readonly accountId: string | null;
  /** Only payments that an operator should look at. */
  readonly needsAttention?: boolean;
  /** The id of the last payment on the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

/**
 * A page of payments, newest first, at most 100. Payments that were opened and abandoned are not
 * shown to the buyer.
 */
export async function listPayments(
  pool: Reader,
  page: Page,
): Promise<{ payments: PaymentLine[]; nextCursor: string | null }> {
  const limit = Math.min(page.limit ?? 20, PAYMENTS_PER_PAGE_MAX);
  const { rows } = await pool.query<Row>(
    `select ${columns}
      where ($1::text is null or (p.account_id = $1 and (p.status <> 'expired' or p.attention is not null)
             and (p.status <> 'created' or p.created_at > now() - interval '1 hour')))
        and (not $2 or p.attention is not null) and ($3::text is null or p.id < $3)
      order by p.id desc limit $4`,
    [page.accountId, page.needsAttention ?? false, page.cursor ?? null, limit + 1],
  );
  const payments = rows.slice(0, limit).map(lineOf);
  return { payments, nextCursor: rows.length > limit ? (payments.at(-1)?.id ?? null) : null };
}

/** One payment of the account; null also for another account's. */
export async function findPayment(
  pool: Reader,
  request: { accountId: string; paymentId: string },
): Promise<PaymentLine | null> {
  const { rows } = await pool.query<Row>(
    `select ${columns} where p.id = $1 and p.account_id = $2`,
    [request.paymentId, request.accountId],
  );
  return rows[0] === undefined ? null : lineOf(rows[0]);
}
