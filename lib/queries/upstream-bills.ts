/** Bills of upstreams that were compared with our book, and the rates noted of upstreams. Read-only. */

import { differenceCauses } from "../contract/bill-words";
import type { ShownUpstreamBill, UpstreamBillView } from "../contract/operator-bills";
import { storedRates } from "../contract/rates";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import { type CsvField, csvLine, csvLines } from "../values/csv";
import type { Stored } from "./stored";

/** Amounts are millionths of the currency. */
export type BillRow = Omit<
  Stored<UpstreamBillView, never, "from" | "to" | "madeAt">,
  "difference"
> & { readonly causes: Readonly<Record<string, { count: number; amount: string }>> };

const bills = `select b.id, b.channel_id as "channelId", c.name as channel, b.name, b.currency, b.from_at as "from", b.to_at as "to",
  b.lines, b.agreed, b.billed::text, b.owed::text, b.causes, b.made_by as "madeBy", b.made_at as "madeAt"
  from upstream_bill b join channel c on c.id = b.channel_id`;
const BILLS_SHOWN_MAX = 200;
const DIFFERENCES_SHOWN_MAX = 200;

/** Newest first. */
export async function listUpstreamBills(
  pool: Reader,
  channelId: string | null = null,
): Promise<BillRow[]> {
  const { rows } = await pool.query<BillRow>(
    `${bills} where $1::text is null or b.channel_id = $1 order by b.made_at desc limit ${BILLS_SHOWN_MAX}`,
    [channelId],
  );
  return rows;
}

type DifferenceRow = Stored<ShownUpstreamBill["differences"][number], never, "at">;

/** A bill with its dearest differences, of one cause or of all. Rejects with `not_found`. */
export async function showUpstreamBill(
  pool: Reader,
  id: string,
  cause: string | null = null,
): Promise<{ bill: BillRow; differences: DifferenceRow[] }> {
  const [found, differences] = await Promise.all([
    pool.query<BillRow>(`${bills} where b.id = $1`, [id]),
    pool.query<DifferenceRow>(
      `select cause, ref, at, model, amount::text, billed, owed from upstream_difference
        where bill_id = $1 and ($2::text is null or cause = $2) order by nth limit ${DIFFERENCES_SHOWN_MAX}`,
      [id, cause],
    ),
  ]);
  const [bill] = found.rows;
  if (bill === undefined) throw new RelayError("not_found");
  return { bill, differences: differences.rows };
}

/** The rates noted for a channel, or for all, by model, the newest first. */
export async function listUpstreamRates(pool: Reader, channelId: string | null) {
  const { rows } = await pool.query<{
    channelId: string;
    model: string;
    effectiveAt: Date;
    currency: string;
    rates: unknown;
    notedBy: string;
  }>(
    `select channel_id as "channelId", model, effective_at as "effectiveAt", currency, rates, noted_by as "notedBy"
       from upstream_rate where $1::text is null or channel_id = $1 order by channel_id, model, effective_at desc limit 2000`,
    [channelId],
  );
  return rows.map((row) => ({ ...row, rates: storedRates.parse(row.rates) }));
}

/** Millionths of a currency as its decimal text. */
const money = (millionths: string) => formatPoints(BigInt(millionths));
const causeOf = (text: string) => differenceCauses.find((each) => each === text) ?? "other_total";

/** A bill as pages and keys see it. */
export const viewOfBill = ({ billed, owed, from, to, madeAt, causes: _, ...bill }: BillRow) => ({
  ...bill,
  from: from.toISOString(),
  to: to.toISOString(),
  madeAt: madeAt.toISOString(),
  billed: money(billed),
  owed: money(owed),
  difference: money(String(BigInt(billed) - BigInt(owed))),
});

/** With its causes, the dearest first, and its differences. */
export function shownBill({
  bill,
  differences,
}: {
  readonly bill: BillRow;
  readonly differences: readonly DifferenceRow[];
}) {
  const size = (amount: string) => Math.abs(Number(amount));
  const causes = Object.entries(bill.causes)
    .toSorted(([, one], [, other]) => size(other.amount) - size(one.amount))
    .map(([cause, { count, amount }]) => ({ cause: causeOf(cause), count, amount: money(amount) }));
  return {
    bill: viewOfBill(bill),
    causes,
    differences: differences.map(({ cause, at, amount, ...each }) => ({
      ...each,
      cause: causeOf(cause),
      at: at?.toISOString() ?? null,
      amount: money(amount),
    })),
  };
}

const csvHead = ["cause", "ref", "at", "model", "amount", "billed", "owed"];
const CSV_PAGE = 1000;

/** Every difference of a bill that is kept, the dearest first. Rejects with `not_found`. */
export async function billCsv(pool: Reader, id: string): Promise<AsyncGenerator<string>> {
  const pageFrom = (nth: number) =>
    pool.query<DifferenceRow>(
      `select cause, ref, at, model, amount::text, billed, owed from upstream_difference
        where bill_id = $1 and nth >= $2 order by nth limit ${CSV_PAGE}`,
      [id, nth],
    );
  await showUpstreamBill(pool, id);
  const usageText = (usage: object | null) => (usage === null ? null : JSON.stringify(usage));
  const record = ({ cause, ref, at, model, amount, billed, owed }: DifferenceRow): CsvField[] => [
    ...[cause, ref, at?.toISOString() ?? null, model, money(amount)],
    ...[usageText(billed), usageText(owed)],
  ];
  async function* lines() {
    yield csvLine(csvHead);
    for (let nth = 0; ; nth += CSV_PAGE) {
      const { rows } = await pageFrom(nth);
      if (rows.length > 0) yield csvLines(rows.map(record));
      if (rows.length < CSV_PAGE) return;
    }
  }
  return lines();
}

/** Rates as pages and keys see them: amounts have the form of points. */
export const shownRates = ({
  rates,
  effectiveAt,
  ...each
}: Awaited<ReturnType<typeof listUpstreamRates>>[number]) => ({
  ...each,
  effectiveAt: effectiveAt.toISOString(),
  rates: rates.map(({ amount, ...rate }) => ({ ...rate, points: money(String(amount)) })),
});
