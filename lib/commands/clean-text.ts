import { isShownText } from "../contract/shown-rule";
import { invalidValue } from "../failures/relay-error";

/** One line of plain text of 1 to `max` characters. Throws `invalid_value`. */
export function cleanText(param: string, text: string, max: number): string {
  const clean = text.replace(/\s+/g, " ").trim();
  if (clean.length >= 1 && clean.length <= max && isShownText(clean)) return clean;
  const message = `${param} has ${clean.length} characters: it must have 1 to ${max}, and no control characters or marks of direction.`;
  throw invalidValue(param, message);
}
