/** Changes one line of a source so that it still compiles most of the time, and means another thing. */
import { seeded } from "@/testing/extent/random";

/** What a line may become, by what is found in it. */
const changes: readonly (readonly [RegExp, string])[] = [
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \* /g, " + "],
  [/ \/ /g, " * "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/\b0n\b/g, "1n"],
  [/\b1n\b/g, "2n"],
  [/\b1\b/g, "2"],
  [/\b0\b/g, "1"],
  [/\bif \((?!!)/g, "if (!"],
  [/\bMath\.min\b/g, "Math.max"],
  [/\bMath\.max\b/g, "Math.min"],
  [/^(\s+)(?:await |void )?[\w.]+\([^=]*\);$/g, "$1;"],
];
const isWords = /^\s*(\/\/|\*|\/\*|import |export (type|interface)|readonly |[|}\])])/;

export interface Mutant {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

function ofLine(text: string): string[] {
  if (isWords.test(text)) return [];
  return changes.flatMap(([pattern, replacement]) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => {
      const single = new RegExp(pattern.source);
      const changed = found.replace(single, replacement);
      return text.slice(0, index) + changed + text.slice(index + found.length);
    }),
  );
}

/** Draws `count` changes from all that the sources allow, each line at most once. */
export function drawMutants(
  sources: ReadonlyMap<string, string>,
  count: number,
  seed: number,
): Mutant[] {
  const { between } = seeded(seed);
  const lines = [...sources].flatMap(([path, text]) =>
    text
      .split("\n")
      .map((before, index) => ({ path, line: index + 1, before, choices: ofLine(before) }))
      .filter(({ choices }) => choices.length > 0),
  );
  const drawn: Mutant[] = [];
  while (drawn.length < count && lines.length > 0) {
    const [line] = lines.splice(between(0, lines.length - 1), 1);
    if (line === undefined) break;
    const { choices, before, ...place } = line;
    const after = choices[between(0, choices.length - 1)] ?? before;
    drawn.push({ ...place, before: before.trim(), after });
  }
  return drawn;
}
