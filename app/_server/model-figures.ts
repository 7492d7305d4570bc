import type { ModelFigures } from "@/lib/contract/model-figures";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

/** The figures of the last seven days by model; none while they cannot be read. */
export async function figuresByModel(): Promise<ReadonlyMap<string, ModelFigures>> {
  const figures = await pagesDeps().modelFigures();
  return new Map(figures?.value.map((each) => [each.model, each]));
}
