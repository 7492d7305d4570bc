/** Texts as `shown-rule.ts` has them, in the body of a request. */
import { z } from "zod";
import { isShownText, SHOWN_RULE } from "./shown-rule";

/** One line of at most `max` characters; may be empty. */
export const shownLine = (max: number) =>
  z.string().trim().max(max).refine(isShownText, SHOWN_RULE);

/** A name, a title, a reason: one line of 1 to `max` characters. */
export const shownName = (max: number) =>
  z.string().trim().min(1).max(max).refine(isShownText, SHOWN_RULE);
