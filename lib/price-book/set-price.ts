import type pg from "pg";
import { builtInModels } from "../catalog/built-in";
import type { Model } from "../catalog/models";
import type { Family } from "../contract/states";
import { onlyRow } from "../db/only-row";
import type { Reader } from "../db/pool";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { readModelRows } from "../model-book/read-models";
import { modelOf } from "../model-file/model-of";
import { requestedPoints } from "../money/requested-points";
import type { Price } from "../pricing/price";
import { readPresentPrices } from "./price-schedule";
import { storedRatesOf } from "./stored-price";
import { cleanPrice, type WantedPrice } from "./wanted-price";

/**
 * The model that a price is for, also one that was made a moment ago, which this process's catalogue
 * may lack. Rejects with `model_not_found`.
 */
export async function pricedModel(queries: Reader, name: string): Promise<Model> {
  const [row] = await readModelRows(queries, name);
  if (row !== undefined) return modelOf(row);
  throw new RelayError("model_not_found", {
    message: `There is no model ${name}.`,
    param: "model",
  });
}

/**
 * The completed price, the current one, and the model's catalogue identifier. Rejects with what
 * `cleanPrice` throws.
 */
export async function completePrice(
  queries: Reader,
  wanted: WantedPrice,
): Promise<{ model: string; family: Family; price: Price; present: Price | null }> {
  const model = await pricedModel(queries, wanted.model);
  const versions = await readPresentPrices(queries);
  const present = versions.find((version) => version.model === model.id)?.price ?? null;
  const price = cleanPrice(model, wanted, present);
  return { model: model.id, family: model.family, price, present };
}

interface NewVersion {
  readonly model: string;
  readonly price: Price;
  /** Null for now. */
  readonly effectiveAt: Date | null;
  readonly createdBy: string;
}

/**
 * Adds a price that applies from `effectiveAt` on. Earlier versions stay for what was held at them.
 * Of several prices for one moment the last one applies. Rejects with a unique violation when
 * another one is added in the same microsecond.
 */
export async function addPriceVersion(
  queries: Reader,
  version: NewVersion,
): Promise<{ id: string; effectiveAt: Date }> {
  const { model, price, effectiveAt, createdBy } = version;
  const added = await queries.query<{ id: string; effective_at: Date }>(
    `with wanted as (select coalesce($4::timestamptz, clock_timestamp()) as at)
     insert into price_version (model, input_price, output_price, other_rates, effective_at, created_by)
     select $1, $2, $3, $6::jsonb, greatest(at, (select max(effective_at) + interval '1 microsecond' from price_version
                                       where model = $1 and effective_at < at + interval '1 millisecond'
                                         and (effective_at >= at or $4::timestamptz is null))), $5
       from wanted returning id, effective_at`,
    [
      model,
      price.input,
      price.output,
      effectiveAt,
      createdBy,
      JSON.stringify(storedRatesOf(price.others)),
    ],
  );
  const row = onlyRow(added);
  return { id: row.id, effectiveAt: row.effective_at };
}

/**
 * Gives each model that never had a price the catalogue's default. Several processes may do so at
 * once.
 */
export async function seedPrices(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(7275616)");
    await client.query(
      `insert into price_version (model, input_price, output_price, created_by)
       select model, input, output, 'system' from unnest($1::text[], $2::bigint[], $3::bigint[]) as d(model, input, output)
       where not exists (select 1 from price_version p where p.model = d.model)`,
      [
        builtInModels.map((model) => model.id),
        builtInModels.map((model) => requestedPoints("input", model.defaultPrice.input ?? "0")),
        builtInModels.map((model) => requestedPoints("output", model.defaultPrice.output)),
      ],
    );
  });
}
