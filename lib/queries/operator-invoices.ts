/** The invoices of all accounts, for operators. Read-only. */
import type { z } from "zod";
import { invoiceFigures } from "../contract/invoices";
import type {
  OperatorInvoices,
  OperatorInvoicesQuery,
  OperatorInvoiceView,
} from "../contract/operator-invoices";
import type { Reader } from "../db/pool";
import { dueMonths, lastMonth } from "../invoices/due-months";
import { formatPoints } from "../money/points";
import { emailsOf, likeText } from "./find-accounts";

const PAGE = 50;
const MONTHS_MAX = 60;
const CURRENCIES_MAX = 50;

type Sums = z.output<typeof invoiceFigures>["sums"];

interface Row extends Omit<OperatorInvoiceView, "createdAt" | "email" | "sums"> {
  readonly createdAt: Date;
  readonly sums: unknown;
}

/**
 * `$1` month, `$2` number before, `$3` the text, `$4` it as a pattern in small letters, `$5` as it was
 * typed: whether the database knows the capitals of other letters than ASCII's depends on its locale.
 */
const found = `
select i.id, i.number, to_char(i.month, 'YYYY-MM') as month, i.created_at as "createdAt", i.account_id as "accountId",
       i.figures->'buyer'->>'name' as buyer, i.figures->>'charges' as charges, i.figures->'sums' as sums
  from invoice i
 where ($1::text is null or i.month = ($1 || '-01')::date) and ($2::bigint is null or i.number < $2)
   and ($3 = '' or i.number::text = $3 or i.account_id = $3 or lower(i.figures->'buyer'->>'name') like $4
     or i.figures->'buyer'->>'name' like $5
     or i.account_id in (select account_id from "user" where email like $4))
 order by i.number desc limit ${PAGE + 1}`;

const totalsOfMonth = `
select count(*)::int as count, coalesce(sum((figures->>'charges')::numeric * 1000000), 0)::bigint::text as charges,
       coalesce((select json_agg(json_build_object('amount', s.amount, 'currency', s.currency) order by s.currency) from (
         select sum((x->>'amount')::bigint)::bigint as amount, x->>'currency' as currency
           from invoice j, jsonb_array_elements(j.figures->'sums') x where j.month = ($1 || '-01')::date
          group by 2 order by 2 limit ${CURRENCIES_MAX}) s), '[]') as sums
  from invoice where month = ($1 || '-01')::date`;

/** Steps from one month to the one before, so that it reads as many rows as there are months. */
const months = `
with recursive step(month) as (
  (select month from invoice order by month desc limit 1)
  union all select (select i.month from invoice i where i.month < step.month order by i.month desc limit 1) from step where step.month is not null)
select to_char(month, 'YYYY-MM') as month from step where month is not null limit ${MONTHS_MAX}`;

const due = `
select to_char(${lastMonth}, 'YYYY-MM') as month,
       (select count(*)::int from (${dueMonths}) d) as count`;

const readSums = (sums: unknown): Sums => invoiceFigures.shape.sums.parse(sums);

async function readTotals(pool: Reader, month: string): Promise<OperatorInvoices["totals"]> {
  const { rows } = await pool.query<{ count: number; charges: string; sums: unknown }>(
    totalsOfMonth,
    [month],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    count: row.count,
    charges: formatPoints(BigInt(row.charges)),
    sums: readSums(row.sums),
  };
}

/** A page of invoices, the highest number first, with the sums of the month that is asked for. */
export async function listAllInvoices(
  { pool }: { readonly pool: Reader },
  { q = "", month, cursor }: OperatorInvoicesQuery,
): Promise<OperatorInvoices> {
  const [small, typed] = [q.toLowerCase(), q].map((text) => `%${likeText(text)}%`);
  const [{ rows }, totals, listed, waiting] = await Promise.all([
    pool.query<Row>(found, [month ?? null, cursor ?? null, q, small, typed]),
    month === undefined ? null : readTotals(pool, month),
    pool.query<{ month: string }>(months),
    pool.query<{ month: string; count: number }>(due),
  ]);
  const page = rows.slice(0, PAGE);
  const emails = await emailsOf(
    pool,
    page.map(({ accountId }) => accountId),
  );
  return {
    invoices: page.map(({ createdAt, sums, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      email: emails.get(row.accountId) ?? null,
      sums: readSums(sums),
    })),
    nextCursor: rows.length > PAGE ? (page.at(-1)?.number ?? null) : null,
    totals,
    months: listed.rows.map(({ month: name }) => name),
    due: waiting.rows[0] ?? { month: "", count: 0 },
  };
}
