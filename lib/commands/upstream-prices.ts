/** What models cost upstream, and what a point is sold for. */
import { type AuditFields, recordAction } from "../accounts/actions";
import type { Model } from "../catalog/models";
import { storedRates } from "../contract/rates";
import { isMainRate, outputUnitOf } from "../contract/units";
import type { UpstreamPrice as Row } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue } from "../failures/relay-error";
import { assertRates } from "../price-book/rate-list";
import { pricedModel } from "../price-book/set-price";
import { otherRates, storedRatesOf } from "../price-book/stored-price";
import { POINT, type UpstreamPrice } from "../price-book/upstream-price";
import type { CommandDeps } from "./command-deps";
import { toldRates } from "./prices";

const AMOUNT_MAX = 1_000_000_000_000_000n;

/** `model`: whose price it is; null for the price of a point. */
function assertPrice(model: Model | null, price: UpstreamPrice): void {
  const { currency, input, output, others = [] } = price;
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw invalidValue(
      "currency",
      `currency is ${currency}: it must be three letters, such as USD or CNY.`,
    );
  }
  for (const [param, amount] of [
    ["input", input ?? 0n],
    ["output", output],
  ] as const) {
    if (amount < 0n || amount > AMOUNT_MAX)
      throw invalidValue(param, `${param} must not be negative.`);
  }
  if (others.length === 0) return;
  if (model === null)
    throw invalidValue("rates", "rates must be empty: a point has one price, its output price.");
  assertRates(model, others, AMOUNT_MAX, ["input_token", outputUnitOf[model.family]]);
  const main = others.find(isMainRate);
  if (main !== undefined)
    throw invalidValue(
      "rates",
      `${main.unit} is the input or the output price: leave it out of \`rates\`.`,
    );
}

const toldCost = (row: Row | null): AuditFields | null =>
  row && {
    currency: row.currency,
    input: row.inputAmount?.toString() ?? null,
    output: row.outputAmount.toString(),
    ...toldRates(otherRates(storedRates.parse(row.otherRates))),
  };

/**
 * Records what a model costs upstream, or the price at which a point is sold (`point`). Null
 * removes it. Rejects with `model_not_found` or `invalid_value`.
 */
export async function noteUpstreamPrice(
  { database, pool }: Pick<CommandDeps, "database" | "pool">,
  actor: string,
  { subject: named, price }: { subject: string; price: UpstreamPrice | null },
): Promise<void> {
  const model = named === POINT ? null : await pricedModel(pool, named);
  const subject = model?.id ?? POINT;
  if (price !== null) assertPrice(model, price);
  await inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.upstreamPrice.findUnique({ where: { subject } });
    let after: Row | null = null;
    if (price === null) await transaction.upstreamPrice.deleteMany({ where: { subject } });
    else {
      const { currency, input: inputAmount, output: outputAmount, others } = price;
      // Absent rates stay what they are.
      const more = others && { otherRates: storedRatesOf(others) };
      const amounts = { currency, inputAmount, outputAmount, ...more };
      const data = { ...amounts, updatedBy: actor, updatedAt: new Date() };
      after = await transaction.upstreamPrice.upsert({
        where: { subject },
        create: { subject, ...data },
        update: data,
      });
    }
    const detail = { before: toldCost(before), after: toldCost(after) };
    await recordAction(transaction, actor, "price.cost", subject, { detail });
  });
}
