/** The short codes with which upstreams name an error, and what groups of them mean. */
import type { JsonObject } from "../provider";

/**
 * What may be logged of an upstream's error: its short codes, never its text, which may quote
 * prompts or credentials.
 */
const plainCode = /^[\w.:[\]-]{1,80}$/;

export const contentCodes =
  /sensitive|riskdetection|content_policy|content_filter|content_management|content_rejected|data_inspection|moderation|policyviolation|censorship/i;
export const quotaCodes = /quota|setlimitexceeded|overdue|billing|insufficient_balance|arrear/i;
export const modelCodes =
  /model_?not_?(found|open)|endpointormodel|servicenotopen|accessdisabled|unknown_model|invalid_model/i;

/** A code as text; "" when it is neither a text nor a number. */
export function codeText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The short codes of an upstream's error, safe to log. */
export function codesOf(error: JsonObject | null): string {
  const shown = [error?.code, error?.type, error?.param]
    .map(codeText)
    .filter((value) => plainCode.test(value));
  return shown.length === 0 ? "no code" : shown.join(", ");
}
