import type { LastHour, ModelFigures } from "@/lib/contract/model-figures";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

/** The figures of the last seven days by model; none while they cannot be read. */
export async function figuresByModel(): Promise<ReadonlyMap<string, ModelFigures>> {
  const figures = await pagesDeps().modelFigures();
  return new Map(figures?.value.map((each) => [each.model, each]));
}

/** Null while it cannot be read, and where the installation does not show it. */
export async function lastHour(): Promise<LastHour | null> {
  const { live, lastHour: read } = pagesDeps();
  return live.value("home_figures") === "yes" ? ((await read())?.value ?? null) : null;
}
