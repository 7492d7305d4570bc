/** Parameters that a prompt carries as flags at its end: they are taken out, so that nothing unpriced reaches an upstream. */
import { SEED_MAX } from "../contract/prompt-and-images";

export interface VideoFlags {
  readonly resolution?: string;
  readonly ratio?: string;
  readonly duration?: number;
  readonly seed?: number;
  readonly camera_fixed?: boolean;
  readonly watermark?: boolean;
}

export type FlagField = keyof VideoFlags;

/** A flag as it was written, for messages. */
export interface FlagSource {
  readonly flag: string;
  readonly value: string;
}

export type FlagFault = { readonly flag: string; readonly problem: string };

export interface ParsedPrompt {
  /** The text without its flags. */
  readonly prompt: string;
  readonly flags: VideoFlags;
  readonly sources: Partial<Record<FlagField, FlagSource>>;
  readonly fault: FlagFault | null;
}

const names: Readonly<Record<string, FlagField | "framespersecond">> = {
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
};
const known = "--resolution, --duration, --ratio, --seed, --camerafixed, --watermark";

/** Writing programs turn two hyphens into one dash, and input methods widen them. */
const DASHES = "(?:--|[\\u2010-\\u2015\\u2e3a\\u2212\\uff0d]{1,2})";
const plainFlag = /^--([A-Za-z][\w-]*)(?:[=:](.*))?$/s;
const anyFlag = new RegExp(`^(.*?)${DASHES}([A-Za-z][A-Za-z_-]*)(?:[=:\\uff1d](.*))?$`, "s");

const nameOf = (raw: string) => {
  const name = raw.toLowerCase().replaceAll(/[_-]/g, "");
  return Object.hasOwn(names, name) ? names[name] : undefined;
};

interface Written {
  /** What stands before the flag in the same word: prompt. */
  readonly rest: string;
  readonly flag: string;
  readonly field: FlagField | "framespersecond" | undefined;
  readonly value: string | undefined;
}

/** Reads a word as a flag: a known one in any spelling, also without a space before it; an unknown one only as `--word`. */
function readFlag(word: string): Written | null {
  const spelled = anyFlag.exec(word);
  const field = spelled ? nameOf(spelled[2] as string) : undefined;
  if (spelled && field) return { rest: spelled[1] as string, flag: `--${spelled[2]}`, field, value: spelled[3] };
  const plain = plainFlag.exec(word);
  return plain ? { rest: "", flag: `--${plain[1]}`, field: undefined, value: plain[2] } : null;
}

interface Tail {
  readonly written: Written;
  /** Words it takes up at the end. */
  readonly words: number;
}

interface Word {
  readonly text: string;
  readonly start: number;
}

/** The last three words, the last one first. `text` does not end in a space. */
function lastWords(text: string): Word[] {
  const words: Word[] = [];
  for (let end = text.length; end > 0 && words.length < 3; ) {
    let start = end;
    while (start > 0 && /\S/.test(text[start - 1] as string)) start--;
    words.push({ text: text.slice(start, end), start });
    end = start;
    while (end > 0 && /\s/.test(text[end - 1] as string)) end--;
  }
  return words;
}

/** The flag that `words` begin with, read backwards: `--name value`, `--name=value`, `--name = value`, `--name` alone. */
function lastFlag(words: readonly Word[]): Tail | null {
  const [last, second, third] = words.map(({ text }) => text);
  if (last === undefined) return null;
  const own = readFlag(last);
  if (own) return { written: own, words: 1 };
  const before = second === undefined ? null : readFlag(second);
  if (before && !before.value) return { written: { ...before, value: last.replace(/^[=:]/, "") }, words: 2 };
  const far = second === "=" && third !== undefined ? readFlag(third) : null;
  return far && !far.value ? { written: { ...far, value: last }, words: 3 } : null;
}

const whole = /^[+-]?\d{1,12}$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The value of a field from its text; a text says what is allowed instead. */
function readValue(field: FlagField, text: string): { value: string | number | boolean } | string {
  if (field === "resolution" || field === "ratio") return { value: text.toLowerCase() };
  if (field === "camera_fixed" || field === "watermark") {
    const value = booleans[text.toLowerCase()];
    return value === undefined ? "it must be true or false" : { value };
  }
  const value = Number(text);
  if (!whole.test(text)) return field === "duration" ? "it must be a whole number of seconds" : "it must be a whole number";
  if (field === "seed" && (value < -1 || value > SEED_MAX)) return `it must be from -1 to ${SEED_MAX}`;
  return { value };
}

/**
 * Takes the flags off the end of `text`; a `--word` before the end is prompt. `isLenient`: an unknown flag ends the search
 * and is prompt, instead of a fault.
 */
export function parsePrompt(text: string, isLenient = false): ParsedPrompt {
  const found: Record<string, string | number | boolean> = {};
  const sources: Partial<Record<FlagField, FlagSource>> = {};
  let left = text.trimEnd();
  const result = (fault: FlagFault | null = null): ParsedPrompt => ({ prompt: left, flags: found, sources, fault });
  for (;;) {
    const words = lastWords(left);
    const tail = lastFlag(words);
    if (!tail) return result();
    const { flag, field, value, rest } = tail.written;
    if (!field) return isLenient ? result() : result({ flag, problem: `it is not known here; known are ${known}` });
    if (value === undefined || value === "") return result({ flag, problem: "its value is missing" });
    const shown = value.slice(0, 60);
    if (field === "framespersecond") {
      if (value !== "24") return result({ flag: `${flag} ${shown}`, problem: "only 24 is supported" });
    } else {
      const read = readValue(field, value);
      if (typeof read === "string") return result({ flag: `${flag} ${shown}`, problem: read });
      const other = sources[field];
      if (other && found[field] !== read.value)
        return result({ flag: `${flag} ${shown}`, problem: `${other.flag} ${other.value} says otherwise` });
      found[field] = read.value;
      sources[field] = { flag, value: shown };
    }
    left = (left.slice(0, words[tail.words - 1]?.start) + rest).trimEnd();
  }
}
