import { expect, test } from "vitest";
import { drawMutants } from "./mutate";

const source = `import { a } from "./a";
/** Is 1 < 2. */
export function charge(held: bigint, used: bigint) {
  if (used > held) throw new Error("too much");
  void note(held);
  return held - used;
}`;
const sources = new Map([["lib/a.ts", source]]);

test("each mutant changes one line of code to another meaning, the same for the same seed", () => {
  const mutants = drawMutants(sources, 10, 7);
  expect(mutants.map(({ line }) => line).sort()).toEqual([4, 5, 6]);
  const lines = source.split("\n");
  for (const { line, before, after } of mutants) {
    expect(lines[line - 1]?.trim()).toBe(before);
    expect(after.trim()).not.toBe(before);
  }
  expect(drawMutants(sources, 10, 7)).toEqual(mutants);
  expect(mutants.find(({ line }) => line === 6)?.after).toBe("  return held + used;");
});
