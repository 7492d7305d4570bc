/** What the operator noted of upstreams' prices, and what a point is sold for. */
import { recordAction } from "../accounts/actions";
import { findModel } from "../catalog/models";
import type { Database } from "../db/client";
import type { UpstreamPrice as Row } from "../db/generated/client";
import { RelayError } from "../errors";
import type { Money } from "../pricing/margin";

/** Stands for a point where a model could stand. */
export const POINT = "point";

/** Millionths of the currency per million tokens. */
export interface UpstreamPrice {
  readonly currency: string;
  readonly input: bigint | null;
  readonly output: bigint;
}

export interface UpstreamPrices {
  readonly pointPrice: Money | null;
  readonly ofModels: ReadonlyMap<string, UpstreamPrice>;
}

const AMOUNT_MAX = 1_000_000_000_000_000n;

export async function readUpstreamPrices(database: Database): Promise<UpstreamPrices> {
  const rows = await database.upstreamPrice.findMany();
  const point = rows.find(({ subject }) => subject === POINT);
  return {
    pointPrice: point ? { currency: point.currency, amount: point.outputAmount } : null,
    ofModels: new Map(
      rows
        .filter(({ subject }) => subject !== POINT)
        .map((row) => [row.subject, { currency: row.currency, input: row.inputAmount, output: row.outputAmount }]),
    ),
  };
}

function subjectOf(name: string): string {
  if (name === POINT) return POINT;
  const model = findModel(name);
  if (model === undefined) throw new RelayError("model_not_found", { message: `There is no model ${name}.`, param: "model" });
  return model.id;
}

function assertPrice({ currency, input, output }: UpstreamPrice): void {
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new RelayError("invalid_value", { param: "currency", message: `currency is ${currency}: three letters such as USD or CNY.` });
  }
  for (const [param, amount] of [
    ["input", input ?? 0n],
    ["output", output],
  ] as const) {
    if (amount < 0n || amount > AMOUNT_MAX) throw new RelayError("invalid_value", { param, message: `${param} must not be negative.` });
  }
}

const told = (row: Row | null) =>
  row && { currency: row.currency, input: row.inputAmount?.toString() ?? null, output: row.outputAmount.toString() };

/** Notes what a model costs upstream, or what `point` is sold for; null takes the note away. Rejects with `model_not_found` or `invalid_value`. */
export async function setUpstreamPrice(database: Database, name: string, price: UpstreamPrice | null, actor: string): Promise<void> {
  const subject = subjectOf(name);
  const before = await database.upstreamPrice.findUnique({ where: { subject } });
  if (price === null) await database.upstreamPrice.deleteMany({ where: { subject } });
  else {
    assertPrice(price);
    const data = {
      currency: price.currency,
      inputAmount: price.input,
      outputAmount: price.output,
      updatedBy: actor,
      updatedAt: new Date(),
    };
    await database.upstreamPrice.upsert({ where: { subject }, create: { subject, ...data }, update: data });
  }
  const after = await database.upstreamPrice.findUnique({ where: { subject } });
  await recordAction(database, { actor, action: "price.cost", subject, detail: { before: told(before), after: told(after) } });
}
