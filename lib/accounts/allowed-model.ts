import {
  findModel,
  hasRetired,
  isOffered,
  type Model,
  offeredModels,
  successorOf,
} from "../catalog/models";
import { fittingModels, type VirtualModel } from "../catalog/virtual-models";
import { RelayError } from "../failures/relay-error";
import type { Principal } from "./principal";

/** The models that the caller's account may see and its key may use, in the order of the catalogue. */
export const allowedModels = ({ models, sees }: Principal): Model[] =>
  offeredModels().filter(({ id }) => sees(id) && (models.length === 0 || models.includes(id)));

/**
 * The model that a request names, if the caller may use it. Throws `model_not_found`, also for a
 * model that the account may not see, `model_retired` or `model_not_allowed`.
 */
export function findAllowedModel(name: string, { models, sees }: Principal): Model {
  const model = findModel(name);
  // Only for an error: it is asked for in each request.
  const shown = () => JSON.stringify(name.slice(0, 100));
  if (model && hasRetired(model) && sees(model.id)) {
    const successor = successorOf(model, ({ id }) => sees(id));
    const instead =
      successor === null ? "GET /v1/models lists the models." : `Use ${successor.id} instead.`;
    const message = `The model ${shown()} has been retired. ${instead}`;
    throw new RelayError("model_retired", { message, param: "model" });
  }
  if (!model || !isOffered(model) || !sees(model.id))
    throw new RelayError("model_not_found", {
      message: `There is no model ${shown()}. GET /v1/models lists the models.`,
      param: "model",
    });
  if (models.length > 0 && !models.includes(model.id)) {
    throw new RelayError("model_not_allowed", {
      message: `This API key may not use ${shown()}; it may use ${models.join(", ")}.`,
      param: "model",
    });
  }
  return model;
}

/**
 * The models among which a virtual one chooses for the caller, prices aside. Throws `model_not_found`
 * where the account may see none of them, `model_not_allowed` where its key may use none.
 */
export function findAllowedChoices(virtual: VirtualModel, { models, sees }: Principal) {
  const seen = offeredModels().filter(({ id }) => sees(id));
  const fitting = fittingModels(virtual, seen);
  const found = fitting.filter(({ id }) => models.length === 0 || models.includes(id));
  if (found.length > 0) return found;
  const shown = JSON.stringify(virtual.name);
  if (fitting.length > 0)
    throw new RelayError("model_not_allowed", {
      message: `${shown} chooses among ${fitting.length} models, and this API key may use none of them; it may use ${models.join(", ")}.`,
      param: "model",
    });
  throw new RelayError("model_not_found", {
    message: `${shown} has no model to choose. GET /v1/models lists the models.`,
    param: "model",
  });
}
