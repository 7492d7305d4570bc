import { MULTIPLIER_PPM_ONE } from "../pricing/price";

/** Parts per million. */
export interface Multipliers {
  /** For all models; null where nothing is said. */
  readonly ppm: number | null;
  readonly byModel: ReadonlyMap<string, number>;
}

/**
 * The only rule of multipliers: what is said of the account wins over what is said of its group,
 * and of each, what is said of the model over what is said of all. `model` null: for all models.
 */
export function multiplierOf(
  own: Multipliers,
  group: Multipliers | null,
  model: string | null,
): number {
  for (const said of [own, group]) {
    const ppm = (model === null ? undefined : said?.byModel.get(model)) ?? said?.ppm;
    if (ppm != null) return ppm;
  }
  return MULTIPLIER_PPM_ONE;
}

/** The models whose multiplier may be another than the one for all. */
export function modelsWithOwn(own: Multipliers, group: Multipliers | null): string[] {
  const ofGroup = own.ppm === null && group !== null ? [...group.byModel.keys()] : [];
  return [...new Set([...own.byModel.keys(), ...ofGroup])].sort();
}
