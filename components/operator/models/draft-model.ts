/** A model of the catalogue from what is typed, as customers will see it. */
import type { Model } from "@/lib/catalog/models";
import type { ModelFile } from "@/lib/contract/model-file";
import type { ModelDetail } from "@/lib/contract/operator-models";
import type { ModelPriceView } from "@/lib/contract/prices";
import { modelOf } from "@/lib/model-file/model-of";
import { rateGaps } from "@/lib/model-file/rate-gaps";
import { formatPoints } from "@/lib/money/points";
import { ratesOfText } from "@/lib/pricing/rate-text";
import { ratesOfRows, wrongRow } from "../prices/rate-rows";
import { fileOf, type ModelInput } from "./model-form";

const rowOf = (
  { id, family, aliases = [], names = null, spec }: ModelFile,
  isBuiltIn: boolean,
) => ({
  id,
  family,
  aliases,
  names,
  spec,
  is_built_in: isBuiltIn,
  state: "draft" as const,
  retires_at: null,
  replaced_by: null,
  created_at: new Date(0),
  version: 1,
  version_id: "0",
});

interface DraftModel {
  readonly model: Model;
  readonly price: ModelPriceView;
  /** What could be ordered without a rate. */
  readonly gaps: readonly string[];
}

/** Null while something is missing or wrong. */
export function draftModel(
  family: Model["family"],
  input: ModelInput,
  before: ModelDetail | null,
): DraftModel | null {
  const file = wrongRow(input.rates) === null ? fileOf(family, input, before) : null;
  if (file === null) return null;
  const model = modelOf(rowOf(file, before?.model.isBuiltIn ?? false));
  const rates = ratesOfText(ratesOfRows(input.rates));
  const price = {
    model: model.id,
    alias: model.alias,
    family,
    input: null,
    output: null,
    rates: rates.map(({ amount, ...rate }) => ({ ...rate, points: formatPoints(amount) })),
    own: null,
    effectiveAt: null,
    next: null,
  };
  return { model, price, gaps: rateGaps(model, rates) };
}
