/** The fields of a refusal, as the client's API names them. */
import type { CanonicalRequest } from "../../dialects/text-dialect";
import { isRelayError, reworded } from "../../failures/relay-error";

/** Runs `work` on a request. What it refuses by a canonical name has the client's own. */
export function inOwnNames<Result>(
  { fieldNames = {} }: Pick<CanonicalRequest, "fieldNames">,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    if (!isRelayError(error) || error.param === null) throw error;
    const { message, param } = error;
    const own = Object.hasOwn(fieldNames, param) ? fieldNames[param] : undefined;
    if (own === undefined) throw error;
    const named = message.replaceAll(`\`${param}\``, `\`${own}\``);
    throw reworded(error, { message: named, param: own });
  }
}
