import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);
const textOf = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

/** Each pattern, with a line that it must find. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\.query\s*[<(]/, "await installation.pool.query<Row>(`select 1`)"],
  [/\$(query|execute)Raw|\$transaction/, "await installation.database.$executeRaw`x`"],
  [
    /\bdatabase\.\w+\.(find|count|aggregate|groupBy|create|update|delete|upsert)\w*\(/,
    "await installation.database.account.updateMany({})",
  ],
];

test("the command line has no SQL: it changes data through commands and reads it through queries", () => {
  for (const [pattern, line] of forbidden) {
    expect(line).toMatch(pattern);
    expect(sources.filter((name) => pattern.test(textOf(name)))).toEqual([]);
  }
  expect(sources.length).toBeGreaterThan(20);
});
