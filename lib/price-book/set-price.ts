import type pg from "pg";
import { builtInModels } from "../catalog/built-in";
import { findModel } from "../catalog/models";
import { onlyRow } from "../db/only-row";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../errors";
import type { Micropoints } from "../points";
import { PRICE_MAX, type Price } from "../pricing/price";
import { requestedPoints } from "../requested-points";
import { readPresentPrices } from "./price-schedule";

type Queries = Pick<pg.ClientBase, "query">;

/** Throws what is wrong with a price; returns the model's catalogue identifier. */
function cleanPrice(change: { model: string; price: Price }): string {
  const model = findModel(change.model);
  if (model === undefined)
    throw new RelayError("model_not_found", {
      message: `There is no model ${change.model}.`,
      param: "model",
    });
  const { input, output } = change.price;
  for (const [param, amount] of [
    ["input", input],
    ["output", output],
  ] as const) {
    if (amount < 0n || amount > PRICE_MAX) {
      throw new RelayError("invalid_value", {
        param,
        message: `The ${param} price must be from 0 to ${PRICE_MAX / 1_000_000n} points.`,
      });
    }
  }
  if (input !== 0n && model.family !== "text") {
    throw new RelayError("unsupported_value", {
      param: "input",
      message: `${model.id} does not charge for input, so it must have no input price.`,
    });
  }
  return model.id;
}

/** A price to set. Without an input price the current one stays. */
export interface WantedPrice {
  /** Any name of a catalogue model. */
  readonly model: string;
  readonly input?: Micropoints | undefined;
  readonly output: Micropoints;
}

/**
 * The completed price, the current one, and the model's catalogue identifier. Rejects with what
 * `cleanPrice` throws.
 */
export async function completePrice(
  queries: Queries,
  { model: named, input, output }: WantedPrice,
): Promise<{ model: string; price: Price; present: Price | null }> {
  const id = findModel(named)?.id ?? named;
  const present =
    (await readPresentPrices(queries)).find(({ model }) => model === id)?.price ?? null;
  const price = { input: input ?? present?.input ?? 0n, output };
  return { model: cleanPrice({ model: named, price }), price, present };
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
  queries: Queries,
  version: NewVersion,
): Promise<{ id: string; effectiveAt: Date }> {
  const { model, price, effectiveAt, createdBy } = version;
  const added = await queries.query<{ id: string; effective_at: Date }>(
    `with wanted as (select coalesce($4::timestamptz, clock_timestamp()) as at)
     insert into price_version (model, input_price, output_price, effective_at, created_by)
     select $1, $2, $3, greatest(at, (select max(effective_at) + interval '1 microsecond' from price_version
                                       where model = $1 and effective_at < at + interval '1 millisecond'
                                         and (effective_at >= at or $4::timestamptz is null))), $5
       from wanted returning id, effective_at`,
    [model, price.input, price.output, effectiveAt, createdBy],
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
