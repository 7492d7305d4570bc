/** What a model lacks before customers may order it. */
import type pg from "pg";
import type { Model } from "../catalog/models";
import { RelayError } from "../errors";
import { rateGaps } from "../model-book/rate-gaps";
import { readPricesFromNow } from "../price-book/price-schedule";
import { ratesOf } from "../pricing/rate";

const serving = `select c.id, exists (
    select from operator_action a
     where a.subject = c.id and a.action = 'channel.test' and a.detail ->> 'model' = $1
       and a.detail ->> 'baseUrl' = c.base_url and a.detail ->> 'upstreamModel' = c.models ->> $1
       and a.detail ->> 'failure' is null and a.detail ->> 'stage' in ('answered', 'accepted')
  ) as is_tested
  from channel c where c.models ? $1 and c.is_enabled and c.archived_at is null`;

const refused = ({ id }: Model, message: string) =>
  new RelayError("invalid_value", { param: "rates", message: `${id} ${message}` });

/**
 * Rejects with `invalid_value` when a customer could order what the model's price, now or to come,
 * has no rate for.
 */
async function assertNoGaps(client: pg.ClientBase, model: Model): Promise<void> {
  for (const { price, effectiveAt } of await readPricesFromNow(client, model.id)) {
    const gaps = rateGaps(model, ratesOf(model.family, price));
    if (gaps.length === 0) continue;
    const when = effectiveAt.getTime() > Date.now() ? ` from ${effectiveAt.toISOString()} on` : "";
    const some = gaps.slice(0, 5).join(", ");
    throw refused(model, `has no rate for ${some}${when}: set the whole list of rates.`);
  }
}

/**
 * Rejects as `assertNoGaps` for what customers can order. A draft may still lack rates. So may what
 * is built in, as ever: an order without a rate is refused when it is quoted.
 */
export async function assertStillPriced(client: pg.ClientBase, model: Model): Promise<void> {
  if (model.state !== "draft" && !model.isBuiltIn) await assertNoGaps(client, model);
}

/** Why a model cannot be sold yet, for whom no override is possible. */
async function assertPriced(client: pg.ClientBase, model: Model): Promise<void> {
  const prices = await readPricesFromNow(client, model.id);
  const present = prices.find(({ effectiveAt }) => effectiveAt.getTime() <= Date.now());
  if (present === undefined || ratesOf(model.family, present.price).length === 0)
    throw refused(model, "has no rates: set its price first.");
  await assertNoGaps(client, model);
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
  const { rows } = await client.query<{ id: string; is_tested: boolean }>(serving, [model.id]);
  const [first] = rows;
  if (first === undefined)
    throw new RelayError("invalid_value", {
      param: "channel",
      message: `No active channel maps ${model.id}: add it to the models of one, or give a reason to offer it anyway.`,
    });
  if (!rows.some((row) => row.is_tested))
    throw new RelayError("invalid_value", {
      param: "test",
      message: `No test of ${model.id} has worked: test channel ${first.id} with it (a real order for images and videos), or give a reason to offer it anyway.`,
    });
}
