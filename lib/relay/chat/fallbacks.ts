/**
 * The models that a request names for when the one before cannot be had, and those that a virtual one
 * stands for: each is asked in its turn, with a hold, a price and limits of its own.
 */
import type { Principal } from "../../accounts/principal";
import { findModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { FALLBACK_MODELS_MAX } from "../../contract/limits";
import { isRelayError, RelayError, reworded } from "../../failures/relay-error";
import { type Choosing, choicesOf } from "../../price-book/virtual-choice";
import type { UpstreamFailure } from "../../upstream/provider";
import { isUnavailable } from "../order/chosen-model";
import { findModelOf, findVirtualOf } from "../order/find-model";
import { refuseModel } from "./text-order";

/** Whether the failed attempt certainly cost nothing, and another model may do better. */
export const mayFallBack = ({ isSurelyFree, code }: UpstreamFailure): boolean =>
  isSurelyFree || code === "context_length_exceeded";

/** The models for a name of `models`, at `place`. Throws what refuses it. */
function modelsAt(place: number, name: string, principal: Principal, choosing: Choosing): string[] {
  try {
    const virtual = findVirtualOf("text", name, refuseModel);
    if (virtual === undefined) return [findModelOf("text", name, principal, refuseModel).id];
    return choicesOf(virtual, principal, choosing).map(({ id }) => id);
  } catch (error) {
    if (!isRelayError(error)) throw error;
    throw reworded(error, { message: error.message, param: `models[${place}]` });
  }
}

/** The names in their order, each model once; as many as a request may name. */
function namesOf(
  { model, models }: ChatRequest,
  principal: Principal,
  choosing: Choosing,
): string[] {
  const virtual = findVirtualOf("text", model, refuseModel);
  const firsts = virtual && choicesOf(virtual, principal, choosing);
  const names = new Map(
    firsts ? firsts.map(({ id }) => [id, id]) : [[findModel(model)?.id ?? model, model]],
  );
  for (const [place, name] of (models ?? []).entries()) {
    const found = modelsAt(place, name, principal, choosing);
    for (const id of found) if (!names.has(id)) names.set(id, id);
  }
  return [...names.values()].slice(0, FALLBACK_MODELS_MAX + 1);
}

export const takenOver = () => new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });

/** The models of a request in their turn, each once; the first is `model`. */
export class ModelTurns {
  readonly #further: string[];
  /** Whether the answer says which one served. */
  readonly isChosen: boolean;

  /** Throws where the caller may not use one of `models`, or none of a virtual one. */
  constructor(
    readonly asked: ChatRequest,
    principal: Principal,
    choosing: Choosing,
  ) {
    const virtual = findVirtualOf("text", asked.model, refuseModel);
    this.isChosen = Boolean(asked.models) || virtual !== undefined;
    this.#further = this.isChosen ? namesOf(asked, principal, choosing) : [asked.model];
  }

  get isMore(): boolean {
    return this.#further.length > 0;
  }

  /** The next model that can be had and that the request fits. Throws why the last one cannot. */
  take<Order>(orderOf: (request: ChatRequest) => Order): Order {
    for (;;) {
      const model = this.#further.shift() ?? this.asked.model;
      try {
        return orderOf(model === this.asked.model ? this.asked : { ...this.asked, model });
      } catch (error) {
        if (!this.isMore || !isUnavailable(error)) throw error;
      }
    }
  }

  /** What every model that can be had makes of the request. Throws why the last one cannot, where none can. */
  all<Order>(orderOf: (request: ChatRequest) => Order): Order[] {
    const found: Order[] = [];
    do {
      try {
        found.push(this.take(orderOf));
      } catch (error) {
        if (found.length === 0 || !isUnavailable(error)) throw error;
      }
    } while (this.isMore);
    return found;
  }

  /** Opens the hold of the first model that can be had; `next` goes on to another. */
  async hold(open: () => Promise<void>, next: () => void): Promise<void> {
    for (;;) {
      try {
        return await open();
      } catch (error) {
        if (!this.isMore || !isUnavailable(error)) throw error;
        next();
      }
    }
  }
}
