/**
 * The one rule of texts that a person or another system names and that others read: one line, with
 * nothing in it that is no character, or that turns the direction of what stands beside it.
 */
/**
 * Control characters, separators of lines, marks of direction, what has no shape or one of its own, and the
 * blank of Braille.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
/** Join letters and pictures, and choose their forms: Persian, Indian scripts, Japanese names and emoji need them. */
const joiners = /\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
/** More marks over one letter cover the lines around it. No script needs as many. */
const PILED = /\p{M}{8}/u;
const SEEN = /[^\s\p{M}]/u;

export const SHOWN_RULE =
  "it must be one line of visible characters, without control characters, marks of direction and piles of accents";

export function isShownText(text: string): boolean {
  const plain = text.replace(joiners, "");
  return plain.search(hidden) === -1 && !PILED.test(plain) && (text === "" || SEEN.test(plain));
}

/**
 * What another system calls something, in the form that the rule allows: what it does not allow
 * becomes a space, and what is too long is cut. Null where nothing is left.
 */
export function claimedName(claim: unknown, max: number): string | null {
  if (typeof claim !== "string") return null;
  const text = claim
    .slice(0, 4 * max)
    .replace(hidden, (each) => (each.search(joiners) === 0 ? each : " "))
    .replace(/\s+/g, " ")
    .trim();
  if (!isShownText(text)) return null;
  return [...text].slice(0, max).join("").slice(0, max).toWellFormed().trim() || null;
}
