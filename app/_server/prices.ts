import { models } from "@/lib/catalog/models";
import type { ModelPriceView } from "@/lib/contract/site";

/** STAND-IN until the price book lands. */
export async function priceViews(_accountId: string | null): Promise<ModelPriceView[]> {
  const six = (text: string) => `${text}.000000`;
  const own = process.env.PREVIEW_OWN ? "0.85" : null;
  return models.map((model) => ({
    model: model.id,
    alias: model.alias,
    family: model.family,
    input: model.defaultPrice.input ? six(model.defaultPrice.input) : null,
    output: six(model.defaultPrice.output),
    own: own
      ? {
          multiplier: own,
          input: model.defaultPrice.input ? `${(Number(model.defaultPrice.input) * 0.85).toFixed(6)}` : null,
          output: `${(Number(model.defaultPrice.output) * 0.85).toFixed(6)}`,
        }
      : null,
    effectiveAt: "2026-11-20T10:00:00.000Z",
  }));
}
