/** Future and past prices. */

import type { Reader } from "../db/pool";
import { invalidValue } from "../failures/relay-error";
import type { PriceVersion } from "./price-version";
import { priceColumns, readPrice, type StoredPrice } from "./stored-price";

interface Row extends StoredPrice {
  readonly id: string;
  readonly model: string;
  readonly effective_at: Date;
  readonly created_by: string;
}

export interface SetPriceVersion extends PriceVersion {
  readonly createdBy: string;
}

const versionOf = (row: Row): SetPriceVersion => ({
  id: row.id,
  model: row.model,
  price: readPrice(row),
  effectiveAt: row.effective_at,
  createdBy: row.created_by,
});

/**
 * SQL: the future prices that change something, the soonest first. A price never applies if a later
 * version was set for the same time.
 */
export const upcoming = `
with future as (
  select distinct on (model, date_trunc('milliseconds', effective_at)) id, model, ${priceColumns}, effective_at, created_by
    from price_version where effective_at > now() order by model, date_trunc('milliseconds', effective_at), effective_at desc
), present as (
  select distinct on (model) model, ${priceColumns} from price_version where effective_at <= now() order by model, effective_at desc
), chain as (
  select f.*, coalesce(lag(f.input_price) over w, p.input_price) as input_before, coalesce(lag(f.output_price) over w, p.output_price) as output_before,
         coalesce(lag(f.other_rates) over w, p.other_rates) as others_before
    from future f left join present p on p.model = f.model window w as (partition by f.model order by f.effective_at)
)
select * from chain where (${priceColumns}) is distinct from (input_before, output_before, others_before) order by effective_at, model`;

/** The future prices that change something, the soonest first. */
export async function readUpcomingPrices(queries: Reader): Promise<SetPriceVersion[]> {
  return (await queries.query<Row>(upcoming)).rows.map(versionOf);
}

/**
 * The current price of each model that has one, and who set it: also one that this transaction set.
 */
export async function readPresentPrices(queries: Reader): Promise<SetPriceVersion[]> {
  const { rows } = await queries.query<Row>(
    "select distinct on (model) * from price_version where effective_at <= clock_timestamp() order by model, effective_at desc",
  );
  return rows.map(versionOf);
}

/** The current price of a model and those that follow it. */
export async function readPricesFromNow(
  queries: Reader,
  model: string,
): Promise<SetPriceVersion[]> {
  const { rows } = await queries.query<Row>(
    `select distinct on (date_trunc('milliseconds', effective_at)) * from price_version
      where model = $1 and effective_at >= (
        select coalesce(max(effective_at), '-infinity') from price_version where model = $1 and effective_at <= clock_timestamp())
      order by date_trunc('milliseconds', effective_at), effective_at desc`,
    [model],
  );
  return rows.map(versionOf);
}

/** The price of a model just before a given time; null when there is none. */
export async function readPriceBefore(
  queries: Reader,
  model: string,
  moment: Date,
): Promise<SetPriceVersion | null> {
  const { rows } = await queries.query<Row>(
    "select * from price_version where model = $1 and effective_at < date_trunc('milliseconds', $2::timestamptz) order by effective_at desc limit 1",
    [model, moment],
  );
  return rows[0] === undefined ? null : versionOf(rows[0]);
}

const PAGE = 50;

/** All versions of one model or of all, by start, the latest first. */
export async function readPriceVersions(
  pool: Reader,
  { model, cursor }: { model?: string | undefined; cursor?: string | undefined },
): Promise<{ versions: SetPriceVersion[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : /^\d{1,18}$/.exec(cursor)?.[0];
  if (after === undefined)
    throw invalidValue("cursor", "The cursor is invalid. Send one from a previous answer.");
  const { rows } = await pool.query<Row>(
    `select v.* from price_version v
      where ($1::text is null or v.model = $1)
        and ($2::bigint is null or (v.effective_at, v.id) < (select effective_at, id from price_version where id = $2))
      order by v.effective_at desc, v.id desc limit ${PAGE + 1}`,
    [model ?? null, after],
  );
  const versions = rows.slice(0, PAGE).map(versionOf);
  return { versions, nextCursor: rows.length > PAGE ? (versions.at(-1)?.id ?? null) : null };
}
