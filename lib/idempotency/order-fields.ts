/** What the body of an order says, whichever family it is of. */
import { findAllowedChoices, findAllowedModel } from "../accounts/allowed-model";
import { findVirtual } from "../catalog/virtual-models";
import type { Call } from "../http/serve";
import { isObject } from "../values/records";

interface OrderFields {
  readonly model?: unknown;
  readonly models?: unknown;
  readonly stream?: unknown;
}
const noFields: OrderFields = {};

/** The fields that every order's body may have. */
export const orderOf = ({ body }: Call): OrderFields => (isObject(body) ? body : noFields);

/** A page asks again for what it could not read to its end. Programs are sent each stream once. */
export const keepsStream = (call: Call): boolean =>
  call.principal.kind === "session" &&
  call.row.name === "createChatCompletion" &&
  orderOf(call).stream === true;

/** Throws before a stored answer is given to a key that may not use its model. */
export function assertAllowed(call: Call): void {
  const { model, models } = orderOf(call);
  for (const name of [model, ...(Array.isArray(models) ? models : [])])
    if (typeof name === "string") {
      const virtual = findVirtual(name);
      if (virtual === undefined) findAllowedModel(name, call.principal);
      else findAllowedChoices(virtual, call.principal);
    }
}
