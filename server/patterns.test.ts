import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { extent } from "@/testing/extent/extent";
import { stepCounter } from "@/testing/patterns/pattern-steps";
import { parseSource, productIn } from "./sources.mjs";

const project = join(import.meta.dirname, "..");

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly path: string;
}

const sources = [
  ...productIn(project, ["lib", "server", "app", "components", "cli"]),
  ...productIn(project, ["."], /^(instrumentation|proxy|next\.config)\b/),
];

type Node = { type?: string; pattern?: string; flags?: string; callee?: { value?: string } };

function nodesOf(tree: object): Node[] {
  const found: object[] = [tree];
  for (const node of found)
    for (const inner of Object.values(node))
      if (typeof inner === "object" && inner !== null) found.push(inner);
  return found;
}

const patterns: Pattern[] = [];
const constructed: string[] = [];
for (const file of sources) {
  for (const { type, pattern, flags, callee } of nodesOf(parseSource(file))) {
    if (type === "RegExpLiteral")
      patterns.push({ source: pattern as string, flags: flags ?? "", path: file.path });
    if ((type === "NewExpression" || type === "CallExpression") && callee?.value === "RegExp")
      constructed.push(file.path);
  }
}

const ofSchemas = [z.email(), z.iso.date(), z.iso.datetime(), z.uuid()].map((schema): Pattern => {
  const { format, pattern } = schema._zod.def as { format: string; pattern?: RegExp };
  return {
    source: (pattern as RegExp).source,
    flags: (pattern as RegExp).flags,
    path: `zod ${format}`,
  };
});

/**
 * Texts on which a pattern may be slow: each of its characters, and each of its parts, repeated
 * before something that does not match.
 */
function pumpsOf(source: string): string[] {
  const written = source.replace(/\\[pP]\{[^}]*\}|\(\?(?:<?[=!]|:|<\w+>)/g, "\u0001");
  const characters = new Set([..."a0 A_-.,:;/=@\n\u00e9", ...written.replaceAll("\\", "")]);
  const words = written.match(/(?:\\[^\w]|[\w\s,:;@=/-])+/g) ?? [];
  const pieces = words
    .map((word) => word.replaceAll("\\", ""))
    .filter((word) => word.length > 1 && word.length < 16);
  const pairs = ["a.", "a-", "a@", "0.", "0:", ", ", "[[", "aA", "; q=0"];
  return [...new Set([...characters, ...pieces, ...pieces.map((piece) => `${piece}a`), ...pairs])];
}

/**
 * The prefix that may be needed to reach a slow part: the pattern's own start, as far as it is
 * literal.
 */
function headsOf(source: string): string[] {
  const plain = /^\^?((?:\\[^\w]|[\w:;,/@=-])*)/.exec(source)?.[1]?.replaceAll("\\", "") ?? "";
  return [...new Set(["", plain, ...extent([], [`${plain}1`, "a@"])])];
}

/** Longer than any repetition count in a pattern. */
const LENGTH = 256;
/** A quadratic pattern takes 64 times the steps. */
const GROWTH_MAX = 10;
/** With so few steps per character, growth cannot be hidden. */
const STEPS_A_CHARACTER = 4;
const STEPS_MAX = 1_000_000;

/**
 * How a pattern's steps grow from one length to eight times that length, when they grow too fast.
 */
function fastGrowth({ source, flags }: Pattern): string | null {
  const { count, plain, isBounded } = stepCounter(source, flags);
  if (isBounded) return null;
  const counted = new Set<string>();
  const last = plain("\u0001");
  for (const head of headsOf(source).map(plain))
    for (const pump of pumpsOf(source).map(plain)) {
      const textOf = (times: number) =>
        `${head}${pump.repeat(Math.max(64, LENGTH / pump.length) * times)}${last}`;
      const text = textOf(1);
      if (counted.has(text)) continue;
      counted.add(text);
      const steps = count(text, STEPS_MAX);
      if (steps < STEPS_A_CHARACTER * text.length) continue;
      if (steps > STEPS_MAX || count(textOf(8), steps * GROWTH_MAX) > steps * GROWTH_MAX)
        return `${head}(${pump})`;
    }
  return null;
}

test.each([
  ["\\s+$", ""],
  ["^(a+)+$", ""],
  ["^(.*?)(?:--|[\\u2010-\\u2015]{1,2})([A-Za-z][A-Za-z_-]*)$", "s"],
  ["\\/+$", ""],
  ["\\.?0+$", ""],
  ["^\\S+@\\S+\\.\\S+$", ""],
  ["\\[\\[[^\\]]*\\]\\]", "g"],
  ["\\B(?=(\\d{3})+$)", "g"],
  ["[1-9].*\\.", ""],
  ["a.*b.*c", ""],
])("the count shows that /%s/ is more than linear", (source, flags) => {
  expect(fastGrowth({ source, flags, path: "" })).not.toBeNull();
});

test.each([
  ["^a(b|c)*d$", "", "abcbcd", true],
  ["(?<!/)/+$", "", "a//", true],
  ["^(?!a)b{2,3}?c$", "", "bbbc", true],
  ["^(?!a)b{2,3}?c$", "", "bbbbc", false],
])("the counting matcher finds what the engine finds: /%s/", (source, flags, text, isFound) => {
  expect(new RegExp(source, flags).test(text)).toBe(isFound);
  expect(() => stepCounter(source, flags).count(text, 1000)).not.toThrow();
});

test.each([
  ["^(.*?)(?:--|[\\u2010-\\u2015]{1,2})([A-Za-z][A-Za-z_-]*)$", "s", "ab--cd_e"],
  ["\\B(?=(\\d{3})+$)", "g", "a1234567 é"],
  ["^\\S+@\\S+\\.\\S+$", "i", "Some.One@a-b.c \n"],
])("a text takes the steps of its plain form: /%s/", (source, flags, text) => {
  const { count, plain } = stepCounter(source, flags);
  expect(new Set(plain(text)).size).toBeLessThan(new Set(text).size);
  expect(count(plain(text), 100_000)).toBe(count(text, 100_000));
});

test("regular expressions are literals in the source, except in the files named here", () => {
  expect(patterns.length).toBeGreaterThan(150);
  // The first highlights our own code samples; the next two read the first 40 characters of an image
  // in a body; the last has the rules of the check.
  const known = [
    "components/ui/highlight.tsx",
    "lib/contract/media-fields.ts",
    "lib/json/body-scanner.ts",
    "server/directions.mjs",
  ];
  expect(constructed.filter((path) => !known.includes(path))).toEqual([]);
});

test("every pattern that reads user text takes linear steps: measured at one length and at eight times that length", () => {
  const byText = new Map(
    [...patterns, ...ofSchemas].map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]),
  );
  const slow = [...byText].flatMap(([text, pattern]) => {
    const shown = fastGrowth(pattern);
    return shown === null
      ? []
      : [`${pattern.path} ${text} grows too fast over ${JSON.stringify(shown)}`];
  });
  expect(slow).toEqual([]);
}, 300_000);
