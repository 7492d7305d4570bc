/**
 * The model that serves an order of an image or a video for a virtual one: the first in its turn that
 * the order fits and that can be had. It is chosen once: what was sent is not ordered of another.
 */
import type { Principal } from "../../accounts/principal";
import type { Family } from "../../contract/states";
import type { FailureCode } from "../../failures/failure-table";
import { isRelayError, type RelayError } from "../../failures/relay-error";
import { type Choosing, choicesOf } from "../../price-book/virtual-choice";
import { findVirtualOf } from "./find-model";

/** The header that names the model that serves a request for one that stands for others. */
export const MODEL_HEADER = "x-relay-model";

/** Why a model cannot be had now, or not for this request: another one may. */
const unavailable: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "no_channel_available",
  "upstream_concurrency_exceeded",
  "context_length_exceeded",
  "price_missing",
]);
/** Why an order does not fit a model of images or videos. */
const unfit: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "unsupported_value",
  "n_not_supported",
  "invalid_value",
]);

export const isUnavailable = (error: unknown): boolean =>
  isRelayError(error) && unavailable.has(error.code);
const isPassedOver = (error: unknown): boolean =>
  isUnavailable(error) || (isRelayError(error) && unfit.has(error.code));

interface Named {
  readonly model: string;
}

/** What orders a model of a family. */
export interface Ordering<Request extends Named> {
  readonly family: Family;
  readonly request: Request;
  readonly principal: Principal;
  readonly choosing: Choosing;
  /** The error for a model of another family, of its name and what it generates. */
  readonly refuse: (name: string, generates: string) => RelayError;
}

/** The request for each model in its turn; null where it names a real one. */
function requestsOf<Request extends Named>({
  family,
  request,
  principal,
  choosing,
  refuse,
}: Ordering<Request>): readonly Request[] | null {
  const virtual = findVirtualOf(family, request.model, refuse);
  if (virtual === undefined) return null;
  return choicesOf(virtual, principal, choosing).map(({ id }) => ({ ...request, model: id }));
}

/** `place` of each model that the order fits. Throws why the last one is none, where none is. */
export function placeAll<Request extends Named, Placed>(
  ordering: Ordering<Request>,
  place: (request: Request) => Placed,
): Placed[] {
  const placed: Placed[] = [];
  const requests = requestsOf(ordering) ?? [ordering.request];
  for (const [at, request] of requests.entries())
    try {
      placed.push(place(request));
    } catch (error) {
      if (!isPassedOver(error) || (placed.length === 0 && at === requests.length - 1)) throw error;
    }
  return placed;
}

/** A call whose headers say which model serves it. */
interface Serving {
  readonly headers: Record<string, string>;
  /** The model of the order that this call repeats; undefined where there is none. */
  earlier?(): Promise<string | undefined>;
  /** Whether points are held for the order: then another model must not be ordered too. */
  isOrdered?(): boolean;
}

/** Orders the first model that can be had and that the order fits. Throws why the last one is none. */
export async function orderFirst<Request extends Named, Ordered>(
  ordering: Ordering<Request>,
  { headers, earlier, isOrdered = () => false }: Serving,
  order: (request: Request) => Promise<Ordered>,
): Promise<Ordered> {
  const requests = requestsOf(ordering);
  if (requests === null) return order(ordering.request);
  const known = await earlier?.();
  const left = known === undefined ? [...requests] : [{ ...ordering.request, model: known }];
  for (;;) {
    const request = left.shift() ?? ordering.request;
    try {
      const ordered = await order(request);
      headers[MODEL_HEADER] = request.model;
      return ordered;
    } catch (error) {
      if (left.length === 0 || isOrdered() || !isPassedOver(error)) throw error;
    }
  }
}
