/** The order of a list of models, which its URL keeps, and the column heads that change it. */
import { type Direction, sortedBy } from "@/components/ui/sorted-by";
import type { ColumnSort } from "@/components/ui/use-sorted";
import type { Model } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import { addressWith, type ModelSearch, type UrlParameters } from "@/lib/client/model-search";
import type { ModelFigures } from "@/lib/contract/model-figures";
import type { ModelPriceView } from "@/lib/contract/prices";
import { typicalUsage } from "@/lib/pricing/typical";

interface OrderedModel {
  readonly model: Model;
  readonly price: ModelPriceView;
  readonly figures?: ModelFigures | undefined;
}

type Order = Pick<ModelSearch, "order" | "isReversed">;
type Column = Exclude<ModelSearch["order"], "list">;

const values = {
  name: ({ model }: OrderedModel) => model.id,
  // Families cannot be compared by the cost of a typical request, but it is one order.
  price: ({ model, price }: OrderedModel) => {
    const cost = costOf(price, typicalUsage(model));
    return cost ? Number(cost.own) : null;
  },
  speed: ({ figures }: OrderedModel) => figures?.usualMs ?? null,
  success: ({ figures }: OrderedModel) => figures?.success ?? null,
};

/** The best first, or the worst where it is reversed. */
function directionOf(column: Column, isReversed: boolean): Direction {
  const isDescending = (column === "success") !== isReversed;
  return isDescending ? "descending" : "ascending";
}

/** What has no value comes last. */
export const inModelOrder = <Each extends OrderedModel>(
  found: readonly Each[],
  { order, isReversed }: Order,
  locale: string,
): readonly Each[] =>
  order === "list" ? found : sortedBy(found, values[order], directionOf(order, isReversed), locale);

export type ModelSorts = (column: Column) => { sort: ColumnSort };

/** The heads of the columns: each sorts by its own, then the other way round, then by no column. */
export const modelSorts =
  (path: string, parameters: UrlParameters, { order, isReversed }: Order): ModelSorts =>
  (column) => {
    const isOwn = order === column;
    const next = isOwn ? (isReversed ? null : `-${column}`) : column;
    return {
      sort: {
        direction: isOwn ? directionOf(column, isReversed) : null,
        href: addressWith(path, parameters, { sort: next, page: null }),
      },
    };
  };
