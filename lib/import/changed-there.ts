/**
 * What has another price or ratio at its source than here, among what moved in an earlier run. It is named, and
 * nothing here is changed.
 */
import { formatPoints } from "../money/points";
import { readPresentPrices } from "../price-book/price-schedule";
import { type Price, type Rate, ratesOf } from "../pricing/rate";
import type { ImportContext } from "./context";
import type { MovedPrice } from "./model-price";

type Telling = Pick<ImportContext, "client" | "report">;
/** Points by what they are for. */
type Points = ReadonlyMap<string, string>;

const rateName = ({ unit, amount: _, ...selected }: Rate) =>
  [unit, ...Object.entries(selected).map(([name, value]) => `${name}=${value}`)].join(" ");

/** A rate of nothing is the same as none. */
const pointsOf = (price: Price): Points =>
  new Map(
    ratesOf("text", price)
      .filter(({ amount }) => amount > 0n)
      .map((rate) => [rateName(rate), formatPoints(rate.amount)]),
  );

function differences(there: Points, here: Points): string[] {
  const names = [...new Set([...there.keys(), ...here.keys()])];
  return names
    .filter((name) => there.get(name) !== here.get(name))
    .map((name) => `${name} ${there.get(name) ?? "none"} there, ${here.get(name) ?? "none"} here`);
}

/** `prices`: of each model as its source names it, with its id here and what it costs there now. */
export async function tellPrices(
  { client, report }: Telling,
  prices: readonly { readonly name: string; readonly id: string; readonly price: MovedPrice }[],
): Promise<void> {
  if (prices.length === 0) return;
  const present = new Map(
    (await readPresentPrices(client)).map(({ model, price }) => [model, price]),
  );
  for (const { name, id, price } of prices) {
    if ("refusal" in price) {
      report.remark("models", name, `its price here stays, and is not compared: ${price.refusal}`);
      continue;
    }
    const there = new Map(
      price.rates
        .filter(({ points }) => Number(points) > 0)
        .map(({ unit, points }): [string, string] => [unit, points]),
    );
    const here = pointsOf(present.get(id) ?? { input: 0n, output: 0n });
    const found = differences(there, here);
    if (found.length > 0)
      report.remark(
        "models",
        `${name} (${found.join("; ")})`,
        "costs something else there: its price here stays until you set it",
      );
  }
}

/** `groups`: of each as its source names it, with its id here and the multiplier that its ratio is now. */
export async function tellMultipliers(
  { client, report }: Telling,
  groups: readonly { readonly name: string; readonly id: string; readonly ppm: number }[],
): Promise<void> {
  const { rows } = await client.query<{ id: string; ppm: number }>(
    "select id, multiplier_ppm as ppm from account_group where id = any($1)",
    [groups.map(({ id }) => id)],
  );
  const here = new Map(rows.map(({ id, ppm }) => [id, ppm]));
  for (const { name, id, ppm } of groups) {
    const own = here.get(id);
    if (own !== undefined && own !== ppm)
      report.remark(
        "groups",
        `${name} (${ppm / 1_000_000} there, ${own / 1_000_000} here)`,
        "its ratio is another one there: its multiplier here stays until you set it",
      );
  }
}
