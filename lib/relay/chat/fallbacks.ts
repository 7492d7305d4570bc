/**
 * The models that a request names for when the one before cannot be had: each is asked in its turn,
 * with a hold, a price and limits of its own.
 */
import type { Principal } from "../../accounts/principal";
import { findModel, type TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import type { FailureCode } from "../../failures/failure-table";
import { isRelayError, RelayError, reworded } from "../../failures/relay-error";
import type { UpstreamFailure } from "../../upstream/provider";
import { findModelOf } from "../order/find-model";
import { refuseModel, type TextOrder } from "./text-order";

/** The header that names the model that serves a request with `models`. */
export const MODEL_HEADER = "x-relay-model";

/** Why a model cannot be had now, or not for this request: another one may. */
const unavailable: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "no_channel_available",
  "upstream_concurrency_exceeded",
  "context_length_exceeded",
  "price_missing",
]);

const isUnavailable = (error: unknown): boolean =>
  isRelayError(error) && unavailable.has(error.code);

/** Whether the failed attempt certainly cost nothing, and another model may do better. */
export const mayFallBack = ({ isSurelyFree, code }: UpstreamFailure): boolean =>
  isSurelyFree || code === "context_length_exceeded";

/** Throws what refuses a model; `place` is its place in `models`. */
function modelAt(place: number, name: string, principal: Principal): TextModel {
  try {
    return findModelOf("text", name, principal, refuseModel);
  } catch (error) {
    if (!isRelayError(error)) throw error;
    throw reworded(error, { message: error.message, param: `models[${place}]` });
  }
}

/** The names in their order, each model once. */
function namesOf({ model, models }: ChatRequest, principal: Principal): string[] {
  const names = new Map([[findModel(model)?.id ?? model, model]]);
  for (const [place, name] of (models ?? []).entries()) {
    const { id } = modelAt(place, name, principal);
    if (!names.has(id)) names.set(id, name);
  }
  return [...names.values()];
}

export const takenOver = () => new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });

/** The models of a request in their turn, each once; the first is `model`. */
export class ModelTurns {
  readonly #further: string[];

  /** Throws where the caller may not use one of `models`. */
  constructor(
    readonly asked: ChatRequest,
    principal: Principal,
  ) {
    this.#further = asked.models ? namesOf(asked, principal) : [asked.model];
  }

  get isMore(): boolean {
    return this.#further.length > 0;
  }

  /** The next model that can be had and that the request fits. Throws why the last one cannot. */
  take(orderOf: (request: ChatRequest) => TextOrder): { request: ChatRequest; order: TextOrder } {
    for (;;) {
      const model = this.#further.shift() ?? this.asked.model;
      const request = model === this.asked.model ? this.asked : { ...this.asked, model };
      try {
        return { request, order: orderOf(request) };
      } catch (error) {
        if (!this.isMore || !isUnavailable(error)) throw error;
      }
    }
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
