/** Labels of a request, of which OpenAI takes 64 characters. */
import { digestOf } from "./tool-names";

const CHARACTERS_MAX = 64;
const BEGINNING_CHARACTERS = 55;

export const labels: ReadonlySet<string> = new Set([
  "prompt_cache_key",
  "safety_identifier",
  "user",
]);

/** The label itself, or one that is always the same for it. */
export const shortLabel = (label: unknown): unknown =>
  typeof label === "string" && label.length > CHARACTERS_MAX
    ? `${label.slice(0, BEGINNING_CHARACTERS)}_${digestOf(label)}`
    : label;
