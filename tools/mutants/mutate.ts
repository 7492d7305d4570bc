/** Changes one line of a source so that it still compiles most of the time, and means another thing. */
import { seeded } from "@/testing/extent/random";

type Change = readonly [found: RegExp, becomes: string];

/** What a line may become, by what is found in it. */
const inBoth: readonly Change[] = [
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \* /g, " + "],
  [/ \/ /g, " * "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/\b1\b/g, "2"],
  [/\b0\b/g, "1"],
];
const inTypeScript: readonly Change[] = [
  ...inBoth,
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/\b0n\b/g, "1n"],
  [/\b1n\b/g, "2n"],
  [/\bif \((?!!)/g, "if (!"],
  [/\bMath\.min\b/g, "Math.max"],
  [/\bMath\.max\b/g, "Math.min"],
  [/^(\s+)(?:await |void )?[\w.]+\([^=]*\);$/g, "$1;"],
];
const inSql: readonly Change[] = [
  ...inBoth,
  [/ = /g, " <> "],
  [/ <> /g, " = "],
  [/\band\b/g, "or"],
  [/\bor\b/g, "and"],
  [/\bnot /g, ""],
  [/\bis null\b/g, "is not null"],
  [/\bis not null\b/g, "is null"],
  [/\bif (?!not )/g, "if not "],
  [/\bgreatest\b/g, "least"],
  [/\bleast\b/g, "greatest"],
  [/^(\s+)perform .*;$/g, "$1null;"],
];
const typeScriptWords = /^\s*(\/\/|\*|\/\*|import |export (type|interface)|readonly |[|}\])])/;
const sqlWords =
  /^\s*(--|create |language |set search_path|drop |for each |revoke |grant |.* default null$)/;

export interface Mutant {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

function ofLine(path: string, text: string): string[] {
  const isSql = path.endsWith(".sql");
  if ((isSql ? sqlWords : typeScriptWords).test(text)) return [];
  const changes = isSql ? inSql : inTypeScript;
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
      .map((before, index) => ({ path, line: index + 1, before, choices: ofLine(path, before) }))
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
