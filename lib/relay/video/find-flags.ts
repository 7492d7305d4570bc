/**
 * Finds everything in a prompt that an upstream could read as one of its flags. One pass, no
 * backtracking.
 */
import { isKeyOf } from "../../values/records";
import { type FoldedText, foldText } from "./folded-text";

const names = {
  resolution: "resolution",
  rs: "resolution",
  ratio: "ratio",
  rt: "ratio",
  duration: "duration",
  dur: "duration",
  seed: "seed",
  camerafixed: "camera_fixed",
  cf: "camera_fixed",
  watermark: "watermark",
  wm: "watermark",
  framespersecond: "framespersecond",
  fps: "framespersecond",
  // Upstream fields that change the price and are not offered here.
  frames: "refused",
  generateaudio: "refused",
  servicetier: "refused",
  returnlastframe: "refused",
  draft: "refused",
} as const;

export interface FoundFlag {
  /** The flag as it was written, with plain dashes. */
  readonly flag: string;
  readonly field: (typeof names)[keyof typeof names];
  /** The value in lower case; empty when the flag has none. */
  readonly value: string;
  /**
   * True when the flag contains invisible characters: some readers drop them, others end a word at
   * them.
   */
  readonly isBroken: boolean;
  /** The range of the text that the flag takes up. */
  readonly start: number;
  readonly end: number;
}

const NAME_UNITS_MAX = 24;
const VALUE_UNITS_MAX = 200;

const isSpace = (unit: string | undefined) =>
  unit !== undefined && (unit === " " || /^\s$/.test(unit));
const isLetter = (unit: string | undefined) => unit !== undefined && unit >= "a" && unit <= "z";
const isDigit = (unit: string | undefined) => unit !== undefined && unit >= "0" && unit <= "9";
const isWord = (unit: string | undefined) => unit !== undefined && /^[\p{L}\p{N}]$/u.test(unit);
const fieldOf = (name: string) => (isKeyOf(names, name) ? names[name] : undefined);

interface Name {
  readonly field: FoundFlag["field"];
  /** The index after the name. */
  readonly end: number;
}

/**
 * The longest known name that starts at `from`. Hyphens and underscores in it are ignored, and a
 * value may follow directly.
 */
function readName({ units, isAfterInvisible }: FoldedText, from: number): Name | null {
  let name = "";
  let found: Name | null = null;
  for (let at = from; at - from < NAME_UNITS_MAX; at++) {
    const unit = units[at];
    if (unit === undefined) break;
    if (unit === "-" || unit === "_") {
      if (!isLetter(units[at + 1])) break;
      continue;
    }
    if (!isLetter(unit)) break;
    name += unit;
    const field = fieldOf(name);
    if (
      field &&
      (!isLetter(units[at + 1]) || isAfterInvisible[at + 1] || isValueWord(units, at + 1))
    )
      found = { field, end: at + 1 };
  }
  return found;
}

/** Values that lenient readers accept directly after the name. */
const isValueWord = (units: readonly string[], at: number) =>
  /^(true|false|adaptive)/.test(units.slice(at, at + 9).join(""));

function skipSpace({ units }: FoldedText, from: number): number {
  let at = from;
  while (isSpace(units[at])) at++;
  return at;
}

const quotes = "\"'`([{\u201c\u2018\u300c";

/** Where the value starts: after spaces, one `=` or `:`, and an opening quote. */
function valueStart(folded: FoldedText, nameEnd: number): number {
  let at = skipSpace(folded, nameEnd);
  const sign = folded.units[at];
  if (sign === "=" || sign === ":") at = skipSpace(folded, at + 1);
  return quotes.includes(folded.units[at] ?? " ") ? at + 1 : at;
}

/**
 * The characters that join the parts of `16:9`, `5.5` and `keep_ratio`. They do not end a value.
 */
const isJoint = (unit: string | undefined, next: string | undefined) =>
  unit === "."
    ? isDigit(next)
    : (unit === ":" || unit === "_") && (isDigit(next) || isLetter(next));

/** The index after a value: letters, digits and what joins them. */
function valueEnd({ units }: FoldedText, from: number): number {
  let at = from;
  if ((units[at] === "-" || units[at] === "+") && isDigit(units[at + 1])) at++;
  for (let last = at; ; at++) {
    const unit = units[at];
    if ((isLetter(unit) || isDigit(unit)) && at - from < VALUE_UNITS_MAX) last = at + 1;
    else if (!isJoint(unit, units[at + 1]) || at - from > VALUE_UNITS_MAX) return last;
  }
}

const looksLikeValue = (value: string) =>
  /^[+-]?\d/.test(value) || /^(true|false|adaptive|(keep_ratio|auto|flex|default)$)/.test(value);

/**
 * Whether an upstream could find a value after a name that ends before `nameEnd`, whatever is in
 * between.
 */
function hasReadableValue(folded: FoldedText, nameEnd: number): boolean {
  const { units } = folded;
  let begin = nameEnd;
  while (begin < units.length && !isWord(units[begin])) begin++;
  return looksLikeValue(units.slice(begin, valueEnd(folded, begin)).join(""));
}

/**
 * The dashes that start at `from`: two of any kind, or a single one that a word processor made of
 * two.
 */
function readDashes(
  { units, isTypographic }: FoldedText,
  from: number,
): { end: number; isSure: boolean } | null {
  let end = from;
  let hasTypographic = false;
  while (units[end] === "-") {
    hasTypographic ||= isTypographic[end] === true;
    end++;
  }
  const count = end - from;
  return count > 1
    ? { end, isSure: true }
    : count === 1 && hasTypographic
      ? { end, isSure: false }
      : null;
}

function hasInvisible({ isAfterInvisible }: FoldedText, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (isAfterInvisible[at]) return true;
  return false;
}

/**
 * The flag that follows `dashes`. Null when the text is prompt: an unknown word, or a dash within a
 * sentence.
 */
function readFlag(
  text: string,
  folded: FoldedText,
  from: number,
  dashes: { end: number; isSure: boolean },
): (FoundFlag & { next: number }) | null {
  const { units, starts, ends, isAfterInvisible } = folded;
  const name = readName(folded, dashes.end);
  if (!name) return null;
  const begin = valueStart(folded, name.end);
  const next = Math.max(valueEnd(folded, begin), name.end);
  const value = next > begin ? units.slice(begin, next).join("") : "";
  const isGlued = from > 0 && isWord(units[from - 1]);
  const isSentence =
    (isGlued || !dashes.isSure || name.field === "refused") &&
    !looksLikeValue(value) &&
    !hasReadableValue(folded, name.end);
  if (isSentence && !hasInvisible(folded, from + 1, name.end + 1)) return null;
  const isCutShort = isWord(units[next]) && isAfterInvisible[next] === true;
  return {
    flag: `--${text.slice(starts[dashes.end], ends[name.end - 1])}`,
    field: name.field,
    value,
    isBroken: hasInvisible(folded, from + 1, next) || isCutShort,
    start: starts[from] as number,
    end: (value === "" ? ends[name.end - 1] : endOfValue(folded, begin, next)) as number,
    next,
  };
}

/** Includes the closing quote in the value. */
function endOfValue({ units, ends }: FoldedText, begin: number, next: number): number | undefined {
  const opened = quotes.indexOf(units[begin - 1] ?? " ");
  const isClosed = opened >= 0 && units[next] === "\"'`)]}\u201d\u2019\u300d"[opened];
  return ends[isClosed ? next : next - 1];
}

/** The known flags of `text`, in order. */
export const findFlags = (text: string) => findFlagsIn(text, foldText(text));

/** As `findFlags`, for a text that was folded before. */
export function findFlagsIn(text: string, folded: FoldedText): FoundFlag[] {
  const found: FoundFlag[] = [];
  for (let at = 0; at < folded.units.length; ) {
    const dashes = folded.units[at] === "-" ? readDashes(folded, at) : null;
    const flag = dashes && readFlag(text, folded, at, dashes);
    if (flag) found.push(flag);
    at = flag ? flag.next : dashes ? dashes.end : at + 1;
  }
  return found;
}
