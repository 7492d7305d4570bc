/** The rates of a channel's upstream, and its bills compared with our own book. */
import { createHash } from "node:crypto";
import { recordAction } from "../accounts/actions";
import { findModel } from "../catalog/models";
import { noSuchChannel } from "../channels/stored-channels";
import type { BillFormat, DifferenceCause } from "../contract/bill-words";
import { storedRates } from "../contract/rates";
import { newId } from "../crypto/ids";
import { inTransaction } from "../db/transaction";
import { invalidValue } from "../failures/relay-error";
import { assertOneEach } from "../price-book/rate-list";
import { otherRates, storedRatesOf } from "../price-book/stored-price";
import { priceOfRates, type Rate } from "../pricing/rate";
import type { BillLine, Difference, ModelRates } from "../upstream-bills/bill-line";
import { besides, type EarlierBill, refsOf } from "../upstream-bills/billed-refs";
import { readBill } from "../upstream-bills/read-bill";
import { type Reconciliation, reconcile } from "../upstream-bills/reconcile";
import type { CommandDeps } from "./command-deps";
import { upstreamCalls } from "./upstream-calls";

const HOUR_MS = 3_600_000;
/** Of the times of a bill, the newest. */
const BILLS_BESIDE_MAX = 12;
/** The dearest ones; the sums by cause are of all. */
const DIFFERENCES_KEPT_MAX = 10_000;

type Deps = Pick<CommandDeps, "pool">;

async function assertChannel({ pool }: Deps, id: string): Promise<void> {
  const found = await pool.query("select from channel where id = $1", [id]);
  if (found.rowCount === 0) throw noSuchChannel(id);
}

/** `currency`: three capital letters. Throws `invalid_value`. */
function assertCurrency(currency: string): void {
  if (/^[A-Z]{3}$/.test(currency)) return;
  throw invalidValue(
    "currency",
    `The currency is ${JSON.stringify(currency.slice(0, 20))}: send three capital letters, such as USD.`,
  );
}

export interface UpstreamRates {
  readonly channelId: string;
  /** The upstream's name for the model. */
  readonly model: string;
  readonly currency: string;
  /** Millionths of the currency. */
  readonly rates: readonly Rate[];
  readonly effectiveAt: Date;
}

/** Notes what an upstream asks for a model from a time on. Rejects with `not_found`, `invalid_value`. */
export async function noteUpstreamRates(
  deps: Deps,
  actor: string,
  { channelId, model, currency, rates, effectiveAt }: UpstreamRates,
): Promise<void> {
  assertCurrency(currency);
  assertOneEach(rates);
  await assertChannel(deps, channelId);
  const stored = JSON.stringify(storedRatesOf(rates));
  await inTransaction(deps.pool, async (client) => {
    await client.query(
      `insert into upstream_rate (channel_id, model, effective_at, currency, rates, noted_by) values ($1, $2, $3, $4, $5, $6)
       on conflict (channel_id, model, effective_at) do update
         set currency = excluded.currency, rates = excluded.rates, noted_by = excluded.noted_by, noted_at = now()`,
      [channelId, model, effectiveAt, currency, stored, actor],
    );
    const detail = { model, currency, rates: stored, effectiveAt: effectiveAt.toISOString() };
    await recordAction(client, actor, "upstream.rates", channelId, { detail });
  });
}

async function ratesOf({ pool }: Deps, channelId: string, currency: string): Promise<ModelRates[]> {
  const { rows } = await pool.query<{ model: string; at: Date; rates: unknown }>(
    "select model, effective_at as at, rates from upstream_rate where channel_id = $1 and currency = $2",
    [channelId, currency],
  );
  return rows.map(({ model, at, rates }) => ({
    model,
    from: at.getTime(),
    price: priceOfRates(otherRates(storedRates.parse(rates))),
  }));
}

export interface GivenBill {
  readonly channelId: string;
  /** Of the file. */
  readonly name: string;
  readonly text: string;
  readonly format: BillFormat;
  readonly columns?: Readonly<Record<string, string>>;
  readonly currency: string;
  /** Of times that name none; absent: UTC. */
  readonly zone?: string | undefined;
  /** Absent: from the first line to the last. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The total that the bill names, in millionths; absent for none. */
  readonly total?: bigint | undefined;
}

type CauseSums = Partial<Record<DifferenceCause, { count: number; amount: string }>>;

export interface ComparedBill extends Reconciliation {
  readonly id: string;
  readonly causes: CauseSums;
}

function sumsOf(differences: readonly Difference[]): CauseSums {
  const sums: CauseSums = {};
  for (const { cause, amount } of differences) {
    const { count, amount: before } = sums[cause] ?? { count: 0, amount: "0" };
    sums[cause] = { count: count + 1, amount: (BigInt(before) + amount).toString() };
  }
  return sums;
}

function timesOf(lines: readonly BillLine[], { from, to }: GivenBill) {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { at, requests, spanMs } of lines) {
    first = Math.min(first, at);
    last = Math.max(last, at + (spanMs ?? (requests === 1 ? 1 : HOUR_MS)));
  }
  if (lines.length === 0) first = 0;
  return { from: from?.getTime() ?? first, to: to?.getTime() ?? last };
}

const size = (amount: bigint) => (amount < 0n ? -amount : amount);
const dearestFirst = (one: Difference, other: Difference) =>
  size(one.amount) < size(other.amount) ? 1 : size(one.amount) > size(other.amount) ? -1 : 0;

const detailOf = (usage: Difference["billed"]) => usage ?? null;

interface Stored {
  readonly sha256: Buffer;
  readonly refs: Buffer;
  /** Earlier cuts of the same bill. */
  readonly replaced: readonly string[];
  readonly times: { readonly from: number; readonly to: number };
}

async function store(
  { pool }: Deps,
  actor: string,
  bill: GivenBill,
  { sha256, refs, replaced, times }: Stored,
  compared: ComparedBill,
): Promise<void> {
  const { id, lines, agreed, billed, owed, causes, differences } = compared;
  const kept = differences.toSorted(dearestFirst).slice(0, DIFFERENCES_KEPT_MAX);
  const rows = kept.map(({ cause, ref, at, model, amount, billed: paid, owed: due }, nth) => ({
    bill_id: id,
    nth,
    cause,
    ref,
    at: at === 0 ? null : new Date(at).toISOString(),
    model,
    amount: amount.toString(),
    billed: detailOf(paid),
    owed: detailOf(due),
  }));
  await inTransaction(pool, async (client) => {
    // The same file again is compared with the book as it is now.
    await client.query(
      "delete from upstream_bill where channel_id = $1 and (sha256 = $2 or id = any($3))",
      [bill.channelId, sha256, replaced],
    );
    await client.query(
      `insert into upstream_bill (id, channel_id, name, sha256, currency, from_at, to_at, lines, agreed, billed, owed, causes, made_by, refs)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        id,
        bill.channelId,
        bill.name,
        sha256,
        bill.currency,
        new Date(times.from),
        new Date(times.to),
        lines,
        agreed,
        billed,
        owed,
        causes,
        actor,
        refs,
      ],
    );
    await client.query(
      "insert into upstream_difference select * from json_populate_recordset(null::upstream_difference, $1)",
      [JSON.stringify(rows)],
    );
    const detail = { name: bill.name, count: lines, currency: bill.currency };
    const subject = bill.channelId;
    await recordAction(client, actor, "upstream.reconcile", subject, { detail });
  });
}

const beside = `
select id, name, refs from upstream_bill where channel_id = $1 and sha256 <> $2 and from_at < $4 and to_at > $3 and refs <> ''
 order by made_at desc limit ${BILLS_BESIDE_MAX}`;

/**
 * Compares a bill with our book and keeps the result, in place of an earlier one of the same file, and of
 * a file of the same name whose calls it has all. Rejects with `not_found`, `invalid_value`,
 * `range_too_large`.
 */
export async function reconcileBill(
  deps: Deps,
  actor: string,
  given: GivenBill,
): Promise<ComparedBill> {
  const bill = { ...given, name: given.name.slice(0, 200) };
  assertCurrency(bill.currency);
  await assertChannel(deps, bill.channelId);
  const { lines, step } = readBill(bill.text, bill.format, bill);
  const times = timesOf(lines, bill);
  const sha256 = createHash("sha256").update(bill.text).digest();
  const refs = refsOf(lines);
  const [calls, rates, earlier] = await Promise.all([
    upstreamCalls(deps.pool, bill.channelId, times),
    ratesOf(deps, bill.channelId, bill.currency),
    deps.pool.query<EarlierBill>(beside, [
      bill.channelId,
      sha256,
      new Date(times.from),
      new Date(times.to),
    ]),
  ]);
  const { replaced, isElsewhere } = besides({ name: bill.name, refs }, earlier.rows);
  // Another relay's statement has the ids of its models, whatever alias they were asked by.
  const nameOf = (name: string) => (bill.format === "relay" ? (findModel(name)?.id ?? name) : name);
  const renamed = <Named extends { readonly model: string }>(all: readonly Named[]) =>
    all.map((each) => ({ ...each, model: nameOf(each.model) }));
  const book = {
    calls: renamed(calls),
    rates: renamed(rates),
    step,
    ...times,
    total: bill.total ?? null,
    isElsewhere,
  };
  const found = reconcile(lines, book);
  const compared = { ...found, id: newId("bill"), causes: sumsOf(found.differences) };
  await store(deps, actor, bill, { sha256, refs, replaced, times }, compared);
  return compared;
}
