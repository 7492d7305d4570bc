import type pg from "pg";
import { findModel, models } from "../catalog/models";
import { isUniqueViolation } from "../db/database-errors";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../errors";
import { PRICE_MAX, type Price } from "../pricing/price";
import { requestedPoints } from "../requested-points";

const TRIES = 50;

/** Throws what is wrong with a price; answers the catalogue's identifier of the model. */
export function cleanPrice(change: { model: string; price: Price }): string {
  const model = findModel(change.model);
  if (model === undefined) throw new RelayError("model_not_found", { message: `There is no model ${change.model}.`, param: "model" });
  const { input, output } = change.price;
  for (const [param, amount] of [
    ["input", input],
    ["output", output],
  ] as const) {
    if (amount < 0n || amount > PRICE_MAX) {
      throw new RelayError("invalid_value", {
        param,
        message: `The ${param} price must lie between 0 and ${PRICE_MAX / 1_000_000n} points.`,
      });
    }
  }
  if (input !== 0n && model.defaultPrice.input === undefined) {
    throw new RelayError("unsupported_value", {
      param: "input",
      message: `${model.id} bills no input tokens, so it takes no input price.`,
    });
  }
  return model.id;
}

async function moved<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      // Somebody else took the very microsecond: the next one is free.
      if (!isUniqueViolation(error) || tries === TRIES) throw error;
    }
  }
}

/**
 * Adds a price in force from `effectiveAt` on, without it from now on; earlier versions stay for what was held at them. Of
 * prices for the same moment the last one counts. `actor` is a user id or `cli`. Rejects when the moment has passed.
 */
export async function setPrice(
  pool: pg.Pool,
  change: { model: string; price: Price; actor: string; effectiveAt?: Date | null },
): Promise<{ id: string; effectiveAt: Date }> {
  const model = cleanPrice(change);
  const { input, output } = change.price;
  const at = change.effectiveAt ?? null;
  if (at !== null && at.getTime() <= Date.now()) {
    const message = `effective is ${at.toISOString()}: a price begins at a moment to come. Leave it out to begin now.`;
    throw new RelayError("invalid_value", { param: "effective", message });
  }
  const { rows } = await moved(() =>
    pool.query<{ id: string; effective_at: Date }>(
      `with wanted as (select coalesce($4::timestamptz, clock_timestamp()) as at)
       insert into price_version (model, input_price, output_price, effective_at, created_by)
       select $1, $2, $3, greatest(at, (select max(effective_at) + interval '1 microsecond' from price_version
                                         where model = $1 and effective_at < at + interval '1 millisecond'
                                           and (effective_at >= at or $4::timestamptz is null))), $5
         from wanted returning id, effective_at`,
      [model, input, output, at, change.actor],
    ),
  );
  const row = rows[0] as { id: string; effective_at: Date };
  return { id: row.id, effectiveAt: row.effective_at };
}

/** Gives each model that never had a price the catalogue's default; several processes may do so at once. */
export async function seedPrices(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(7275616)");
    await client.query(
      `insert into price_version (model, input_price, output_price, created_by)
       select model, input, output, 'system' from unnest($1::text[], $2::bigint[], $3::bigint[]) as d(model, input, output)
       where not exists (select 1 from price_version p where p.model = d.model)`,
      [
        models.map((model) => model.id),
        models.map((model) => requestedPoints("input", model.defaultPrice.input ?? "0")),
        models.map((model) => requestedPoints("output", model.defaultPrice.output)),
      ],
    );
  });
}
