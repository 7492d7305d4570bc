/** Calls of earlier turns whose arguments are written here, so that they need not be read again. */
import type { JsonObject } from "./text-dialect";

const own = new WeakSet<object>();

/** A call in canonical form. `members`: what it has besides. */
export function ownCall(id: string, name: string, input: object, members: JsonObject): JsonObject {
  const called = { name, arguments: JSON.stringify(input) };
  const call = { id, type: "function", function: called, ...members };
  own.add(call);
  return call;
}

export const isOwnCall = (call: object): boolean => own.has(call);
