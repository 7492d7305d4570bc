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

test("in a function of the database, conditions and sums are changed, and neither its head nor words", () => {
  const sql = `-- Takes 1 + 1.
create or replace function charge(due bigint default null) returns bigint
language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if due > 0 then
    perform note(due);
  end if;
  return least(due, 9);
end
$$;`;
  const mutants = drawMutants(new Map([["lib/a/sql/charge.sql", sql]]), 10, 7);
  expect(mutants.map(({ line }) => line).sort()).toEqual([6, 7, 9]);
});
