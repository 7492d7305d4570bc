/** The figures of an account's month, from the rows that the statement is made of. Read-only. */
import type { InvoiceFigures } from "../contract/invoices";
import { type CreditKind, isTakingKind } from "../contract/states";
import type { Reader } from "../db/pool";
import { formatPoints } from "../points";
import { statementSums } from "./statement-sums";

type Party = InvoiceFigures["seller"];
const PAYMENTS_MAX = 500;

const models = `
select model, sum(requests)::bigint as requests, sum(amount)::bigint as amount from usage_day
 where account_id = $1 and day between $2::date and $3::date group by model having sum(amount) <> 0 or sum(requests) <> 0 order by model`;
const entries = `
select kind, count(*)::int as count, sum(amount)::bigint as amount from ledger_entry
 where account_id = $1 and (created_at at time zone 'UTC')::date between $2::date and $3::date group by kind order by kind`;
const payments = `
select number, to_char(paid_at at time zone 'UTC', 'YYYY-MM-DD') as day, package_name as name, points, amount, currency from payment
 where account_id = $1 and (paid_at at time zone 'UTC')::date between $2::date and $3::date order by number`;

interface PaymentRow {
  readonly number: string;
  readonly day: string;
  readonly name: string;
  readonly points: string;
  readonly amount: string;
  readonly currency: string;
}

const inPoints = (micropoints: bigint | string) => formatPoints(BigInt(micropoints));

/** The sum of each currency, in the order of their names. */
function sumsOf(rows: readonly PaymentRow[]) {
  const sums = new Map<string, number>();
  for (const { amount, currency } of rows)
    sums.set(currency, (sums.get(currency) ?? 0) + Number(amount));
  return [...sums].sort().map(([currency, amount]) => ({ currency, amount }));
}

/**
 * The first and the last day of a month, such as `2026-02`.
 */
function daysOf(month: string): { from: string; to: string } {
  const [year, number] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}

/** Throws when the parts do not add up to the statement: then nothing is stored. */
export async function invoiceFiguresOf(
  reader: Reader,
  { accountId, month, ...parties }: { accountId: string; month: string; seller: Party; buyer: Party },
): Promise<InvoiceFigures> {
  const days = daysOf(month);
  const values = [accountId, days.from, days.to];
  const sums = await statementSums(reader, accountId, days);
  const used = await reader.query<{ model: string; requests: string; amount: string }>(
    models,
    values,
  );
  const moved = await reader.query<{ kind: CreditKind; count: number; amount: string }>(
    entries,
    values,
  );
  const paid = await reader.query<PaymentRow>(payments, values);
  const total = (rows: readonly { amount: string }[]) =>
    rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const isTaken = ({ kind }: { kind: CreditKind }) => isTakingKind(kind);
  const adds =
    total(used.rows) === sums.charges &&
    total(moved.rows.filter((row) => !isTaken(row))) === sums.credits &&
    total(moved.rows.filter(isTaken)) === sums.takenBack;
  if (!adds) throw new Error(`The month ${month} of ${accountId} does not add up.`);
  return {
    version: 1,
    ...parties,
    opening: inPoints(sums.opening),
    credits: inPoints(sums.credits),
    takenBack: inPoints(sums.takenBack),
    charges: inPoints(sums.charges),
    closing: inPoints(sums.closing),
    models: used.rows.map(({ model, requests, amount }) => ({
      model,
      requests: Number(requests),
      points: inPoints(amount),
    })),
    entries: moved.rows.map((row) => ({
      kind: row.kind,
      count: row.count,
      points: inPoints(isTaken(row) ? -BigInt(row.amount) : row.amount),
    })),
    payments: paid.rows.slice(0, PAYMENTS_MAX).map((row) => ({
      ...row,
      points: inPoints(row.points),
      amount: Number(row.amount),
    })),
    morePayments: Math.max(paid.rows.length - PAYMENTS_MAX, 0),
    sums: sumsOf(paid.rows),
  };
}
