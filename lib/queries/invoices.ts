/** An account's invoices and billing details. Read-only. */
import {
  type BillingDetails,
  type InvoiceFigures,
  type InvoicesView,
  type InvoiceView,
  invoiceFigures,
  type Party,
  party,
} from "../contract/invoices";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { lastMonth, movedIn } from "../invoices/due-months";
import { findPayment, type PaymentLine } from "./payment-history";

interface Deps {
  readonly pool: Reader;
}

const MONTHS_MAX = 24;
const INVOICES_MAX = 100;

interface Row {
  readonly id: string;
  readonly number: string;
  readonly month: string;
  readonly created_at: Date;
}

const columns = "id, number, to_char(month, 'YYYY-MM') as month, created_at";
const viewOf = ({ id, number, month, created_at }: Row): InvoiceView => ({
  id,
  number,
  month,
  createdAt: created_at.toISOString(),
});

/** Months that are over for an hour at least and had any movement, without an invoice. */
const openMonths = `
select to_char(m, 'YYYY-MM') as month
  from account a, generate_series(
    greatest(date_trunc('month', a.created_at at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') - interval '${MONTHS_MAX} months'),
    ${lastMonth}, interval '1 month') m
 where a.id = $1 and not exists (select from invoice i where i.account_id = a.id and i.month = m::date)
   and ${movedIn("a.id", "m")}
 order by m desc`;

export async function findBilling(
  { pool }: Deps,
  accountId: string,
): Promise<BillingDetails | null> {
  const { rows } = await pool.query<BillingDetails>(
    `select name, address, tax_number as "taxNumber" from account_billing where account_id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** The newest hundred invoices, and what else an invoice can be made for. */
export async function listInvoices(
  deps: Deps,
  { accountId }: { accountId: string },
): Promise<InvoicesView> {
  const [made, open, billing] = await Promise.all([
    deps.pool.query<Row>(
      `select ${columns} from invoice where account_id = $1 order by month desc limit ${INVOICES_MAX}`,
      [accountId],
    ),
    deps.pool.query<{ month: string }>(openMonths, [accountId]),
    findBilling(deps, accountId),
  ]);
  return {
    invoices: made.rows.map(viewOf),
    months: open.rows.map(({ month }) => month),
    billing,
  };
}

export interface ShownInvoice extends InvoiceView {
  readonly accountId: string;
  readonly figures: InvoiceFigures;
}

/** Rejects with `not_found`, also for another account's unless `accountId` is null. */
export async function showInvoice(
  { pool }: Deps,
  { accountId, id }: { accountId: string | null; id: string },
): Promise<ShownInvoice> {
  const { rows } = await pool.query<Row & { account_id: string; figures: unknown }>(
    `select ${columns}, account_id, figures from invoice where id = $1 and ($2::text is null or account_id = $2)`,
    [id, accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new RelayError("not_found");
  const figures = invoiceFigures.parse(row.figures);
  return { ...viewOf(row), accountId: row.account_id, figures };
}

interface ShownReceipt {
  readonly payment: PaymentLine & { readonly paidAt: Date };
  readonly seller: Party;
  /** Null where the account never had billing details. */
  readonly buyer: Party | null;
}

/**
 * A paid payment of the account with who sold and who bought, as they were when it was paid. Who
 * had no billing details then is named by the first ones after it. Null for all others.
 */
export async function findReceipt(
  deps: Deps,
  { accountId, id }: { accountId: string; id: string },
): Promise<ShownReceipt | null> {
  const payment = await findPayment(deps.pool, { accountId, paymentId: id });
  if (payment === null || payment.paidAt === null) return null;
  const { rows } = await deps.pool.query<{ seller: unknown; buyer: unknown }>(
    "select seller, buyer from receipt_parties where payment_id = $1",
    [id],
  );
  const [parties] = rows;
  if (parties === undefined) throw new Error(`the payment ${id} has no parties`);
  return {
    payment: { ...payment, paidAt: payment.paidAt },
    seller: party.parse(parties.seller),
    buyer: party.nullable().parse(parties.buyer),
  };
}
