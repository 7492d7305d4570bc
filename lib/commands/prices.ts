import { type AuditFields, recordAction } from "../accounts/actions";
import type { Model } from "../catalog/models";
import { storedRates } from "../contract/rates";
import { isMainRate } from "../contract/units";
import { isUniqueViolation } from "../db/database-errors";
import type { UpstreamPrice as Row } from "../db/generated/client";
import { inDatabaseTransaction, inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { lockModels } from "../model-book/write-models";
import { modelOf } from "../model-file/model-of";
import { formatPoints } from "../money/points";
import {
  readPriceBefore,
  readUpcomingPrices,
  type SetPriceVersion,
} from "../price-book/price-schedule";
import { assertRates } from "../price-book/rate-list";
import { addPriceVersion, completePrice, pricedModel } from "../price-book/set-price";
import { otherRates, storedRatesOf } from "../price-book/stored-price";
import { POINT, type UpstreamPrice } from "../price-book/upstream-price";
import type { WantedPrice } from "../price-book/wanted-price";
import type { Price } from "../pricing/price";
import type { Rate } from "../pricing/rate";
import { rateLine } from "../pricing/rate-line";
import type { CommandDeps } from "./command-deps";
import { assertStillPriced } from "./model-wants";
import { modelRow } from "./models";

const TRIES = 50;

async function untilFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      // Another price was added in the same microsecond: the next one is free.
      if (!isUniqueViolation(error) || tries === TRIES) throw error;
    }
  }
}

const toldRates = (others: readonly Rate[] = []): AuditFields =>
  others.length > 0 ? { rates: others.map(rateLine) } : {};

/** Rates of other units are told as lines, such as `image size=1024x1024 8.000000`. */
const toldPrice = ({ input, output, others }: Price): AuditFields => ({
  input: formatPoints(input),
  output: formatPoints(output),
  ...toldRates(others),
});

type PriceChange = WantedPrice & {
  /** Null for now. */
  readonly effectiveAt: Date | null;
};

/**
 * Sets the price of a model from a given time on. Rejects with `model_not_found`, and with
 * `invalid_value` when the time has passed.
 */
export function setPrice(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { effectiveAt: at, ...wanted }: PriceChange,
): Promise<{ id: string; model: string; effectiveAt: Date }> {
  return untilFree(() =>
    inTransaction(pool, async (transaction) => {
      await lockModels(transaction);
      const { model, price, present } = await completePrice(transaction, wanted);
      if (at !== null && at.getTime() <= Date.now()) {
        const message = `effective is ${at.toISOString()}: it must be in the future. Omit it to start now.`;
        const fault = { name: "not_in_future" } as const;
        throw new RelayError("invalid_value", { param: "effective", message, fault });
      }
      const { id, effectiveAt } = await addPriceVersion(transaction, {
        model,
        price,
        effectiveAt: at,
        createdBy: actor,
      });
      await assertStillPriced(transaction, modelOf(await modelRow(transaction, model)));
      await recordAction(transaction, {
        actor,
        action: "price.set",
        subject: model,
        detail: { effectiveAt: effectiveAt.toISOString() },
        ...(present && { before: toldPrice(present) }),
        after: toldPrice(price),
      });
      return { id, model, effectiveAt };
    }),
  );
}

/**
 * Withdraws a future price: the one before it continues. Rejects with `not_found` for any other
 * price.
 */
export function withdrawPrice(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { id }: { id: string },
): Promise<SetPriceVersion> {
  return untilFree(() =>
    inTransaction(pool, async (transaction) => {
      await lockModels(transaction);
      const upcoming = /^\d{1,18}$/.test(id) ? await readUpcomingPrices(transaction) : [];
      const version = upcoming.find((each) => each.id === id);
      if (version === undefined)
        throw new RelayError("not_found", {
          message: `There is no future price ${id}.`,
        });
      const { model, price, effectiveAt } = version;
      const previous = await readPriceBefore(transaction, model, effectiveAt);
      if (previous === null)
        throw new RelayError("not_found", { message: `${model} has no price before this one.` });
      await addPriceVersion(transaction, {
        model,
        price: previous.price,
        effectiveAt,
        createdBy: actor,
      });
      await assertStillPriced(transaction, modelOf(await modelRow(transaction, model)));
      const before = { ...toldPrice(price), effectiveAt: effectiveAt.toISOString() };
      await recordAction(transaction, { actor, action: "price.withdraw", subject: model, before });
      return version;
    }),
  );
}

const AMOUNT_MAX = 1_000_000_000_000_000n;

/** `model`: whose price it is; null for the price of a point. */
function assertPrice(model: Model | null, price: UpstreamPrice): void {
  const { currency, input, output, others = [] } = price;
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new RelayError("invalid_value", {
      param: "currency",
      message: `currency is ${currency}: it must be three letters, such as USD or CNY.`,
    });
  }
  for (const [param, amount] of [
    ["input", input ?? 0n],
    ["output", output],
  ] as const) {
    if (amount < 0n || amount > AMOUNT_MAX)
      throw new RelayError("invalid_value", { param, message: `${param} must not be negative.` });
  }
  if (others.length === 0) return;
  if (model === null)
    throw new RelayError("invalid_value", {
      param: "rates",
      message: "rates must be empty: a point has one price, its output price.",
    });
  assertRates(model, others, AMOUNT_MAX);
  const main = others.find(isMainRate);
  if (main !== undefined)
    throw new RelayError("invalid_value", {
      param: "rates",
      message: `${main.unit} is the input or the output price: leave it out of \`rates\`.`,
    });
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
    await recordAction(transaction, { actor, action: "price.cost", subject, detail });
  });
}
