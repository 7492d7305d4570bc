/** Options that are words of a closed list, or pairs. */
import { type Flags, UsageError } from "./command";

/** Throws for a word that is not allowed, naming those that are. */
export function allowedWord<Word extends string>(
  option: string,
  word: string,
  allowed: readonly Word[],
): Word {
  const found = allowed.find((each) => each === word);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} ${word} is none of ${allowed.join(", ")}`);
}

/** Words that are separated by commas; undefined where the option is absent. */
export const allowedWords = <Word extends string>(
  flags: Flags,
  option: string,
  allowed: readonly Word[],
): Word[] | undefined =>
  flags
    .optional(option)
    ?.split(",")
    .map((word) => allowedWord(option, word.trim(), allowed));

/** `A=B,…`. `shown`: what a pair is made of. */
export const pairsOf = (option: string, text: string, shown: string) =>
  text.split(",").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`--${option} ${pair} is not ${shown}`);
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
