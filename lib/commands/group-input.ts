import { findModel } from "../catalog/models";
import { GROUP_MODELS_MAX, GROUP_MULTIPLIERS_MAX, GROUP_NAME_MAX } from "../contract/limits";
import { invalidValue, RelayError } from "../failures/relay-error";
import { cleanText } from "./clean-text";

/** Parts per million. */
interface ModelMultiplier {
  readonly model: string;
  readonly multiplierPpm: number;
}

export interface GroupTerms {
  readonly name: string;
  /** Null for the list price. */
  readonly multiplierPpm: number | null;
  /** Names of the models that it may see; none for all. */
  readonly models: readonly string[];
  readonly modelMultipliers: readonly ModelMultiplier[];
}

function modelId(param: string, name: string): string {
  const model = findModel(name);
  if (model !== undefined) return model.id;
  const message = `There is no model ${JSON.stringify(name.slice(0, 80))}.`;
  throw new RelayError("model_not_found", { param, message });
}

function assertCount(param: string, count: number, max: number): void {
  if (count <= max) return;
  const message = `There are ${count} models: at most ${max}.`;
  throw invalidValue(param, message);
}

/** The terms with the models' identifiers, each once. Throws `invalid_value`, `model_not_found`. */
export function groupTermsOf(given: GroupTerms): GroupTerms {
  const { models, modelMultipliers, multiplierPpm } = given;
  assertCount("models", models.length, GROUP_MODELS_MAX);
  assertCount("model_multipliers", modelMultipliers.length, GROUP_MULTIPLIERS_MAX);
  const byModel = new Map(
    modelMultipliers.map((each) => [modelId("model_multipliers", each.model), each.multiplierPpm]),
  );
  return {
    name: cleanText("name", given.name, GROUP_NAME_MAX),
    multiplierPpm,
    models: [...new Set(models.map((name) => modelId("models", name)))],
    modelMultipliers: [...byModel].map(([model, ppm]) => ({ model, multiplierPpm: ppm })),
  };
}
