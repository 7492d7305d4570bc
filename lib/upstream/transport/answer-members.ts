/**
 * Members that the answers of several protocols share. Each is used only when it has a valid form.
 */
import { TOKENS_MAX } from "../../contract/limits";
import type { JsonObject } from "../provider";

const URL_CHARACTERS_MAX = 8192;
const REPORTED_CHARACTERS_MAX = 4096;

/** True for a whole number of tokens, zero included, that an upstream can have counted. */
export function isTokenCount(value: unknown): value is number {
  return (
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= TOKENS_MAX
  );
}

/** A number above zero that can be a size or a duration; null for anything else. */
export const positiveNumber = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 && value < 1e6 ? value : null;

/** True when a usage report is small enough to be stored unchanged. */
export function isStorableUsage(usage: JsonObject): boolean {
  return JSON.stringify(usage).length <= REPORTED_CHARACTERS_MAX;
}

/** The upstream's id of its answer, when it is safe to store. */
export function referenceOf(body: JsonObject): string | null {
  return typeof body.id === "string" && /^[\x21-\x7e]{1,128}$/.test(body.id) ? body.id : null;
}

/** An http(s) address from an upstream; null when it is not one. */
export function webAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > URL_CHARACTERS_MAX || !URL.canParse(value))
    return null;
  return /^https?:$/.test(new URL(value).protocol) ? value : null;
}
