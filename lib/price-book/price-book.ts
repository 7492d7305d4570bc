import type pg from "pg";
import type { Changes } from "../db/changes";
import { oneReadAtATime } from "../db/one-read";
import type { PriceBook, PriceVersion } from "./price-version";
import { priceColumns, readPrice, type StoredPrice } from "./stored-price";

interface PriceRow extends StoredPrice {
  readonly id: string;
  readonly model: string;
  readonly effective_at: Date;
}

/** The current price of each model that has one. */
export async function readPrices(pool: pg.Pool): Promise<PriceVersion[]> {
  const { rows } = await pool.query<PriceRow>(`
    select distinct on (model) id, model, ${priceColumns}, effective_at
    from price_version where effective_at <= now() order by model, effective_at desc`);
  return rows.map((row) => ({
    id: row.id,
    model: row.model,
    price: readPrice(row),
    effectiveAt: row.effective_at,
  }));
}

/**
 * The prices in memory. They are read again when one is added and every 3 s; when a read fails, the
 * last known ones stay. Rejects if the first read fails.
 */
export async function createPriceBook(options: {
  pool: pg.Pool;
  changes: Changes;
}): Promise<PriceBook & { close(): void }> {
  const { pool, changes } = options;
  let prices = new Map<string, PriceVersion>();

  const reload = oneReadAtATime(async () => {
    const rows = await readPrices(pool);
    prices = new Map(rows.map((version) => [version.model, version]));
  });

  const end = changes.subscribe("price_version", () => void reload().catch(() => {}));
  await reload();
  return { current: (model) => prices.get(model), close: end };
}
