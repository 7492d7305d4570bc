import { findModel, hasRetired, isOffered, type Model } from "../catalog/models";
import { RelayError } from "../errors";
import type { Principal } from "./principal";

/**
 * The model that a request names, if the caller may use it. Throws `model_not_found`,
 * `model_retired` or `model_not_allowed`.
 */
export function findAllowedModel(name: string, { models }: Principal): Model {
  const model = findModel(name);
  const shown = JSON.stringify(name.slice(0, 100));
  if (model && hasRetired(model)) {
    const instead =
      model.replacedBy === null
        ? "GET /v1/models lists the models."
        : `Use ${model.replacedBy} instead.`;
    const message = `The model ${shown} has been retired. ${instead}`;
    throw new RelayError("model_retired", { message, param: "model" });
  }
  if (!model || !isOffered(model))
    throw new RelayError("model_not_found", {
      message: `There is no model ${shown}. GET /v1/models lists the models.`,
      param: "model",
    });
  if (models.length > 0 && !models.includes(model.id)) {
    throw new RelayError("model_not_allowed", {
      message: `This API key may not use ${shown}; it may use ${models.join(", ")}.`,
      param: "model",
    });
  }
  return model;
}
