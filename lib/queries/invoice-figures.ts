/** The figures of an account's month, from the rows that the statement is made of. Read-only. */
import type { InvoiceFigures, Party } from "../contract/invoices";
import { type CreditKind, isTakingKind } from "../contract/states";
import type { Reader } from "../db/pool";
import { formatPoints } from "../money/points";
import { statementSums } from "./statement-sums";

const LISTED_MAX = 500;

const models = `
select model, sum(requests)::bigint as requests, sum(amount)::bigint as amount from usage_of_day
 where account_id = $1 and day between $2::date and $3::date
 group by model having sum(amount) <> 0 or sum(requests) <> 0 order by sum(amount) desc, model`;
const entries = `
select kind, count(*)::int as count, sum(amount)::bigint as amount from ledger_entry
 where account_id = $1 and (created_at at time zone 'UTC')::date between $2::date and $3::date group by kind order by kind`;
const payments = `
select number, to_char(paid_at at time zone 'UTC', 'YYYY-MM-DD') as day, package_name as name, points * periods as points, amount, currency from payment
 where account_id = $1 and (paid_at at time zone 'UTC')::date between $2::date and $3::date order by number`;
/** An event says how much of a payment was given back so far. */
const refunds = `
select p.number, p.currency, f.until_end - f.before as amount from payment p cross join lateral (
  select least(coalesce(max((e.facts ->> 'refunded')::numeric), 0), p.amount)::bigint as until_end,
         least(coalesce(max((e.facts ->> 'refunded')::numeric) filter (where (e.received_at at time zone 'UTC')::date < $2::date), 0), p.amount)::bigint as before
    from payment_event e where e.intent_id = p.intent_id and e.outcome = 'done' and e.facts ->> 'about' = 'refund'
     and (e.received_at at time zone 'UTC')::date <= $3::date) f
 where p.account_id = $1 and p.refunded > 0 and f.until_end > f.before order by p.number`;

interface ModelRow {
  readonly model: string;
  readonly requests: string;
  readonly amount: string;
}

interface MoneyRow {
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
}

interface PaymentRow extends MoneyRow {
  readonly day: string;
  readonly name: string;
  readonly points: string;
}

const inPoints = (micropoints: bigint | string) => formatPoints(BigInt(micropoints));
const total = (rows: readonly { amount: string }[]) =>
  rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** What was paid less what was given back in each currency, in the order of their names. */
function sumsOf(paid: readonly MoneyRow[], given: readonly MoneyRow[]) {
  const sums = new Map<string, number>();
  const add = (currency: string, amount: number) =>
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  for (const { amount, currency } of paid) add(currency, Number(amount));
  for (const { amount, currency } of given) add(currency, -Number(amount));
  return [...sums].sort().map(([currency, amount]) => ({ currency, amount }));
}

/** The models that were charged most, and one line for all others. */
function modelsOf(rows: readonly ModelRow[]): InvoiceFigures["models"] {
  const others = rows.slice(LISTED_MAX);
  const requests = others.reduce((sum, row) => sum + Number(row.requests), 0);
  return [
    ...rows.slice(0, LISTED_MAX).map((row) => ({
      model: row.model,
      requests: Number(row.requests),
      points: inPoints(row.amount),
    })),
    ...(others.length > 0 ? [{ model: "", requests, points: inPoints(total(others)) }] : []),
  ];
}

/** The first and the last day of a month, such as `2026-02`. */
function daysOf(month: string): { from: string; to: string } {
  const [year, number] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}

/** Throws when the parts do not add up to the statement: then nothing is stored. */
export async function invoiceFiguresOf(
  reader: Reader,
  {
    accountId,
    month,
    ...parties
  }: { accountId: string; month: string; seller: Party; buyer: Party },
): Promise<InvoiceFigures> {
  const days = daysOf(month);
  const values = [accountId, days.from, days.to];
  const sums = await statementSums(reader, accountId, days);
  const { rows: used } = await reader.query<ModelRow>(models, values);
  const { rows: moved } = await reader.query<{ kind: CreditKind; count: number; amount: string }>(
    entries,
    values,
  );
  const { rows: paid } = await reader.query<PaymentRow>(payments, values);
  const { rows: given } = await reader.query<MoneyRow>(refunds, values);
  const isTaken = ({ kind }: { kind: CreditKind }) => isTakingKind(kind);
  const adds =
    total(used) === sums.charges &&
    total(moved.filter((row) => !isTaken(row))) === sums.credits &&
    total(moved.filter(isTaken)) === sums.takenBack;
  if (!adds) throw new Error(`The month ${month} of ${accountId} does not add up.`);
  return {
    version: 1,
    ...parties,
    opening: inPoints(sums.opening),
    credits: inPoints(sums.credits),
    takenBack: inPoints(sums.takenBack),
    charges: inPoints(sums.charges),
    closing: inPoints(sums.closing),
    models: modelsOf(used),
    entries: moved.map((row) => ({
      kind: row.kind,
      count: row.count,
      points: inPoints(isTaken(row) ? -BigInt(row.amount) : row.amount),
    })),
    payments: paid.slice(0, LISTED_MAX).map(({ points, amount, ...row }) => ({
      ...row,
      points: inPoints(points),
      amount: Number(amount),
    })),
    morePayments: Math.max(paid.length - LISTED_MAX, 0),
    refunds: given.slice(0, LISTED_MAX).map((row) => ({ ...row, amount: Number(row.amount) })),
    sums: sumsOf(paid, given),
  };
}
