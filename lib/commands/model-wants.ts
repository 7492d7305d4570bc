/** What a model lacks before customers may order it. */
import type pg from "pg";
import type { Model } from "../catalog/models";
import { RelayError } from "../errors";
import { rateGaps } from "../model-book/rate-gaps";
import { presentRates } from "./models";

const serving = `select c.id, exists (
    select from operator_action a
     where a.subject = c.id and a.action = 'channel.test' and a.detail ->> 'model' = $1
       and a.detail ->> 'failure' is null and a.detail ->> 'stage' in ('answered', 'accepted')
  ) as is_tested
  from channel c where c.models ? $1 and c.is_enabled and c.archived_at is null`;

/** Why a model cannot be sold yet, for whom no override is possible. */
async function assertPriced(client: pg.ClientBase, model: Model): Promise<void> {
  const rates = (await presentRates(client, model)) ?? [];
  const refused = (message: string) =>
    new RelayError("invalid_value", { param: "rates", message: `${model.id} ${message}` });
  if (rates.length === 0) throw refused("has no rates: set its price first.");
  const gaps = rateGaps(model, rates);
  if (gaps.length > 0)
    throw refused(`has no rate for ${gaps.slice(0, 5).join(", ")}: set the whole list of rates.`);
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
