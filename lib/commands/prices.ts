import { type AuditFields, recordAction } from "../accounts/actions";
import { isUniqueViolation } from "../db/database-errors";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { lockModels } from "../model-book/write-models";
import { modelOf } from "../model-file/model-of";
import { formatPoints } from "../money/points";
import {
  readPriceBefore,
  readUpcomingPrices,
  type SetPriceVersion,
} from "../price-book/price-schedule";
import { addPriceVersion, completePrice } from "../price-book/set-price";
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

/** Of other units than the input and the output. */
export const toldRates = (others: readonly Rate[] = []): AuditFields =>
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
      await recordAction(transaction, actor, "price.set", model, {
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
      await recordAction(transaction, actor, "price.withdraw", model, { before });
      return version;
    }),
  );
}
