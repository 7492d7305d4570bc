/** The tools of a model that run at its upstream. Each call needs a rate for `tool_call`. */
import { z } from "zod";
import { TOOL_KINDS_MAX } from "./limits";
import { SELECTOR_LENGTH_MAX } from "./units";

const TOOL_CALLS_MAX = 100;

/** Words that a model's file lists. */
export const listedWords = z
  .array(
    z
      .string()
      .min(1)
      .max(SELECTOR_LENGTH_MAX)
      .regex(/^[0-9A-Za-z._-]+$/),
  )
  .min(1)
  .max(TOOL_KINDS_MAX);

export const hostedTools = z.strictObject({
  /** Kinds, without the date of a version, such as web_search. */
  types: listedWords,
  /** The most calls of one request: the bound of what they cost. */
  calls_max: z.int().min(1).max(TOOL_CALLS_MAX),
});
