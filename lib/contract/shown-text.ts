/**
 * The one rule of texts that a person or another system names and that others read: one line, with
 * nothing in it that is no character, or that turns the direction of what stands beside it.
 */
import { z } from "zod";

/** No control characters, separators of lines, and marks of direction. */
const SHOWN = /^[^\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;
const hidden = /[\s\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

const RULE = "it must be one line, without control characters and marks of direction";

export const isShownText = (text: string): boolean => SHOWN.test(text);

/** One line of at most `max` characters; may be empty. */
export const shownLine = (max: number) => z.string().trim().max(max).refine(isShownText, RULE);

/** A name, a title, a reason: one line of 1 to `max` characters. */
export const shownName = (max: number) =>
  z.string().trim().min(1).max(max).refine(isShownText, RULE);

/**
 * What another system calls something, in the form that the rule allows: what it does not allow
 * becomes a space, and what is too long is cut. Null where nothing is left.
 */
export function claimedName(claim: unknown, max: number): string | null {
  if (typeof claim !== "string") return null;
  const text = claim
    .slice(0, 4 * max)
    .replace(hidden, " ")
    .trim();
  return [...text].slice(0, max).join("").slice(0, max).toWellFormed().trim() || null;
}
