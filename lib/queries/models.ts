/** A model as its file has it, for the command line. */
import { RelayError } from "../errors";
import { readModelRows } from "../model-book/read-models";
import { modelOf } from "../model-book/stored-model";
import { readPresentPrices } from "../price-book/price-schedule";
import { ratesText } from "../pricing/rate-text";
import type { QueryDeps } from "./query-deps";

/** Rejects with `model_not_found`. */
export async function showModel({ pool }: Pick<QueryDeps, "pool">, { id: named }: { id: string }) {
  const [row] = await readModelRows(pool, named);
  if (row === undefined) {
    const message = `There is no model ${JSON.stringify(named.slice(0, 100))}.`;
    throw new RelayError("model_not_found", { param: "id", message });
  }
  const { id, family, aliases, names, spec, version } = row;
  const price = (await readPresentPrices(pool)).find(({ model }) => model === id)?.price;
  const rates = price && { rates: ratesText(family, price) };
  return { model: modelOf(row), version, file: { id, family, aliases, names, spec, ...rates } };
}
