/**
 * Parameters that a prompt carries as flags. They are removed wherever they are, so that nothing
 * unpriced reaches an upstream.
 */
import { SEED_MAX } from "../../contract/limits";
import { isKeyOf } from "../../values/records";
import { type FoundFlag, findFlags } from "./find-flags";

interface VideoFlags {
  readonly resolution?: string;
  readonly ratio?: string;
  readonly duration?: number;
  readonly seed?: number;
  readonly camera_fixed?: boolean;
  readonly watermark?: boolean;
}

export type FlagField = keyof VideoFlags;

/** A flag as it was written, for messages. */
interface FlagSource {
  readonly flag: string;
  readonly value: string;
}

type FlagFault = { readonly flag: string; readonly problem: string };

export interface ParsedPrompt {
  /** The text without its flags. */
  readonly prompt: string;
  readonly flags: VideoFlags;
  readonly sources: Partial<Record<FlagField, FlagSource>>;
  readonly fault: FlagFault | null;
}

const known = "--resolution, --duration, --ratio, --seed, --camerafixed, --watermark";
const unknown = `it is an unknown flag; the known flags are ${known}`;

const whole = /^[+-]?\d{1,12}$/;
const booleans = { true: true, false: false };

/** The value of a field, read from its text; or a text that says what is allowed. */
function readValue(field: FlagField, text: string): { value: string | number | boolean } | string {
  if (field === "resolution" || field === "ratio") return { value: text };
  if (field === "camera_fixed" || field === "watermark") {
    return isKeyOf(booleans, text) ? { value: booleans[text] } : "it must be true or false";
  }
  const value = Number(text);
  if (!whole.test(text))
    return field === "duration"
      ? "it must be a whole number of seconds"
      : "it must be a whole number";
  if (field === "seed" && (value < -1 || value > SEED_MAX))
    return `it must be from -1 to ${SEED_MAX}`;
  return { value };
}

interface Reading {
  readonly found: Record<string, string | number | boolean>;
  readonly sources: Partial<Record<FlagField, FlagSource>>;
}

/** Records one flag's value; returns what is wrong with it. */
function take(
  { flag, field, value, isBroken }: FoundFlag,
  { found, sources }: Reading,
): FlagFault | null {
  if (isBroken) return { flag, problem: "it contains invisible characters; remove them" };
  if (value === "")
    return { flag, problem: field === "refused" ? unknown : "its value is missing" };
  const shown = value.slice(0, 60);
  const written = `${flag} ${shown}`;
  if (field === "refused") return { flag: written, problem: unknown };
  if (field === "framespersecond")
    return value === "24" ? null : { flag: written, problem: "only 24 is supported" };
  const read = readValue(field, value);
  if (typeof read === "string") return { flag: written, problem: read };
  const other = sources[field];
  if (other && found[field] !== read.value)
    return { flag: written, problem: `it contradicts ${other.flag} ${other.value}` };
  found[field] = read.value;
  sources[field] = { flag, value: shown };
  return null;
}

const closing = ".,;:!?)]}'\"\u2019\u201d\u3001\u3002\uff0c\uff01\uff1f\uff1b\uff1a\uff09";

/** The text without the flags. Words on both sides of a flag stay separate. */
function without(text: string, flags: readonly FoundFlag[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of flags) {
    const piece = text.slice(from, start);
    const isApart =
      kept.length > 0 && piece !== "" && !/^\s/.test(piece) && !closing.includes(piece.charAt(0));
    kept.push((isApart ? ` ${piece}` : piece).trimEnd());
    from = end;
  }
  const rest = text.slice(from);
  const isApart =
    flags.length > 0 && rest !== "" && !/^\s/.test(rest) && !closing.includes(rest.charAt(0));
  const prompt = (kept.join("") + (isApart ? ` ${rest}` : rest)).trimEnd();
  return flags[0]?.start === 0 ? prompt.trimStart() : prompt;
}

const NAME_SHOWN_MAX = 120;

/** The last words of a text, the last one first. */
function lastWords(text: string, count: number): string[] {
  const words: string[] = [];
  for (let end = text.length; end > 0 && words.length < count; ) {
    let start = end;
    while (start > 0 && !/\s/.test(text.charAt(start - 1))) start--;
    words.push(text.slice(start, end));
    end = start;
    while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
  }
  return words;
}

const plainFlag = /^--[A-Za-z][\w-]{0,120}/;

/** An unknown flag at the end of the text, alone or with a value. */
function unknownAtEnd(text: string): string | null {
  const [last, second, third] = lastWords(text, 3);
  const candidates = [
    last,
    second?.includes("=") || second?.includes(":") ? undefined : second,
    second === "=" ? third : undefined,
  ];
  for (const word of candidates) {
    const flag = word === undefined ? null : plainFlag.exec(word);
    if (flag) return flag[0].slice(0, NAME_SHOWN_MAX);
  }
  return null;
}

/**
 * Removes the known flags from `text`, wherever they are. An unknown `--word` is part of the
 * prompt; at the end of the text it is an error, unless `isLenient`.
 */
export function parsePrompt(text: string, isLenient = false): ParsedPrompt {
  const reading: Reading = { found: {}, sources: {} };
  const flags = findFlags(text);
  const prompt = without(text, flags);
  const result = (fault: FlagFault | null = null): ParsedPrompt => ({
    prompt,
    flags: reading.found,
    sources: reading.sources,
    fault,
  });
  for (const flag of flags.toReversed()) {
    const fault = take(flag, reading);
    if (fault) return result(fault);
  }
  // Removing a flag may join the text around it to a new flag.
  const [joined] = flags.length > 0 ? findFlags(prompt) : [];
  if (joined)
    return result({ flag: joined.flag, problem: "it appears when another flag is removed" });
  const unknownFlag = isLenient ? null : unknownAtEnd(prompt);
  return result(unknownFlag === null ? null : { flag: unknownFlag, problem: unknown });
}
