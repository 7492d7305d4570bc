import { RelayError } from "../failures/relay-error";
import { type Micropoints, parsePoints } from "./points";

/**
 * Parses an amount from a request. Throws `invalid_value`, naming the field, when the text is no
 * amount of points.
 */
export function requestedPoints(param: string, text: string): Micropoints {
  const amount = parsePoints(text);
  if (amount !== null) return amount;
  const message = `${param} is ${JSON.stringify(text.slice(0, 60))}: send points with up to six decimals, such as 12.5.`;
  throw new RelayError("invalid_value", { param, message, fault: { name: "not_points" } });
}

/** The same for a field that may be absent, or null. */
export const optionalPoints = (param: string, text: string | null | undefined) =>
  text == null ? text : requestedPoints(param, text);
