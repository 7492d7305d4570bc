/** What a model lacks before customers may order it. */
import type pg from "pg";
import type { Model } from "../catalog/models";
import { readModelChannels } from "../channels/model-channels";
import { invalidValue } from "../failures/relay-error";
import { type PriceGaps, readPriceNeeds } from "../price-book/price-needs";

const GAPS_NAMED_MAX = 5;

function assertNoGaps({ id }: Model, missing: PriceGaps | null): void {
  if (missing === null) return;
  const when = missing.from === null ? "" : ` from ${missing.from.toISOString()} on`;
  const some = missing.gaps.slice(0, GAPS_NAMED_MAX).join(", ");
  throw invalidValue("rates", `${id} has no rate for ${some}${when}: set the whole list of rates.`);
}

/**
 * Rejects with `invalid_value` when customers could order what the price of the model, now or to
 * come, has no rate for. A draft may still lack rates. So may what is built in, as ever: an order
 * without a rate is refused when it is quoted.
 */
export async function assertStillPriced(client: pg.ClientBase, model: Model): Promise<void> {
  if (model.state === "draft" || model.isBuiltIn) return;
  assertNoGaps(model, (await readPriceNeeds(client, model)).missing);
}

/** Why a model cannot be sold yet, for whom no override is possible. */
async function assertPriced(client: pg.ClientBase, model: Model): Promise<void> {
  const { hasPrice, missing } = await readPriceNeeds(client, model);
  if (!hasPrice) throw invalidValue("rates", `${model.id} has no rates: set its price first.`);
  assertNoGaps(model, missing);
}

/**
 * Rejects with `invalid_value` for a model without a whole list of rates, and, unless someone says
 * why it may be sold all the same, without a channel that serves it and a test that worked.
 */
export async function assertMaySell(
  client: pg.ClientBase,
  model: Model,
  anyway: string | null,
): Promise<void> {
  await assertPriced(client, model);
  if (anyway !== null) return;
  const channels = await readModelChannels(client, model.id);
  const active = channels.filter(({ state }) => state === "active");
  const [first] = active;
  if (first === undefined)
    throw invalidValue(
      "channel",
      `No active channel maps ${model.id}: add it to the models of one, or give a reason to offer it anyway.`,
    );
  if (!active.some(({ testWorked }) => testWorked))
    throw invalidValue(
      "test",
      `No test of ${model.id} has worked: test channel ${first.id} with it (a real order for images and videos), or give a reason to offer it anyway.`,
    );
}
