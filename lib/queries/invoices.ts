/** An account's invoices and billing details. Read-only. */
import { type BillingDetails, type InvoiceFigures, invoiceFigures } from "../contract/invoices";
import { RelayError } from "../errors";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "pool">;

const MONTHS_MAX = 24;

interface Row {
  readonly id: string;
  readonly number: string;
  readonly month: string;
  readonly created_at: Date;
}

const columns = "id, number, to_char(month, 'YYYY-MM') as month, created_at";
const viewOf = ({ id, number, month, created_at }: Row) => ({
  id,
  number,
  month,
  createdAt: created_at.toISOString(),
});

/** The months that are over for an hour at least, from the account's first one, without invoice. */
const openMonths = `
select to_char(m, 'YYYY-MM') as month
  from account a, generate_series(
    greatest(date_trunc('month', a.created_at at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') - interval '${MONTHS_MAX} months'),
    date_trunc('month', (now() - interval '1 hour') at time zone 'UTC') - interval '1 month', interval '1 month') m
 where a.id = $1 and not exists (select from invoice i where i.account_id = a.id and i.month = m::date) order by m desc`;

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
export async function listInvoices(deps: Deps, { accountId }: { accountId: string }) {
  const [made, open, billing] = await Promise.all([
    deps.pool.query<Row>(
      `select ${columns} from invoice where account_id = $1 order by month desc limit 100`,
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

export async function showInvoice(
  { pool }: Deps,
  { accountId, id }: { accountId: string | null; id: string },
): Promise<ReturnType<typeof viewOf> & { accountId: string; figures: InvoiceFigures }> {
  const { rows } = await pool.query<Row & { account_id: string; figures: unknown }>(
    `select ${columns}, account_id, figures from invoice where id = $1 and ($2::text is null or account_id = $2)`,
    [id, accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new RelayError("not_found");
  const figures = invoiceFigures.parse(row.figures);
  return { ...viewOf(row), accountId: row.account_id, figures };
}
