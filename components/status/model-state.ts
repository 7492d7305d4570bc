import type { IncidentView } from "@/lib/contract/incidents";
import type { ModelFigures } from "@/lib/contract/model-figures";
import type { ServedBy } from "@/lib/contract/states";

/** How a model is doing now. */
export type ModelNow = "works" | "fails" | "concerned" | "unserved";

/** Below this success of the last hours, a model is said to fail. */
const RECENT_SUCCESS_MIN = 0.9;

const concerns = ({ resolvedAt, models }: IncidentView, model: string): boolean =>
  resolvedAt === null && (models.length === 0 || models.includes(model));

export function modelNow(
  model: string,
  servedBy: ServedBy,
  figures: ModelFigures | undefined,
  incidents: readonly IncidentView[],
): ModelNow {
  if (servedBy === "nobody") return "unserved";
  if (incidents.some((incident) => concerns(incident, model))) return "concerned";
  const recent = figures?.recent ?? null;
  return recent !== null && recent < RECENT_SUCCESS_MIN ? "fails" : "works";
}
