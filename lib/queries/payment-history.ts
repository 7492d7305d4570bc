/** Payments for buyers and operators. */
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";

type PaymentState =
  | "open"
  | "pending"
  | "paid"
  | "failed"
  | "expired"
  | "partly_refunded"
  | "refunded"
  | "disputed"
  | "charged_back";

export interface PaymentLine {
  readonly id: string;
  readonly number: string;
  readonly accountId: string;
  readonly packageName: string;
  readonly isPlan: boolean;
  readonly points: Micropoints;
  readonly amount: number;
  readonly currency: string;
  readonly state: PaymentState;
  readonly isCredited: boolean;
  readonly refunded: number;
  readonly takenBack: Micropoints;
  readonly lost: Micropoints;
  readonly attention: string | null;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}

interface Row {
  id: string;
  number: string;
  account_id: string;
  package_name: string;
  plan_id: string | null;
  points_of_all: string;
  amount: string;
  currency: string;
  state: PaymentState;
  refunded: string;
  taken: string;
  lost: string;
  attention: string | null;
  created_at: Date;
  paid_at: Date | null;
  credited_at: Date | null;
}

const PAYMENTS_PER_PAGE_MAX = 100;

const columns = `p.*, p.points * p.periods as points_of_all, coalesce(r.taken, 0) as taken, coalesce(r.lost, 0) as lost,
  case when p.status = 'created' then 'open' when p.status <> 'paid' then p.status
       when exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'lost') then 'charged_back'
       when exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'open') then 'disputed'
       when p.refunded >= p.amount then 'refunded' when p.refunded > 0 then 'partly_refunded' else 'paid' end as state
  from payment p left join ledger_reversal r on r.ref = p.id`;

const lineOf = (row: Row): PaymentLine => ({
  id: row.id,
  number: row.number,
  accountId: row.account_id,
  packageName: row.package_name,
  isPlan: row.plan_id !== null,
  points: BigInt(row.points_of_all),
  amount: Number(row.amount),
  currency: row.currency,
  state: row.state,
  isCredited: row.credited_at !== null,
  refunded: Number(row.refunded),
  takenBack: BigInt(row.taken),
  lost: BigInt(row.lost),
  attention: row.attention,
  createdAt: row.created_at,
  paidAt: row.paid_at,
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
