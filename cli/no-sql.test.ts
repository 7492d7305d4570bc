import { join } from "node:path";
import { expect, test } from "vitest";
import { productIn } from "@/server/sources.mjs";

const sources = productIn(join(import.meta.dirname, ".."), ["cli"]);

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
    expect(sources.filter(({ text }) => pattern.test(text))).toEqual([]);
  }
  expect(sources.length).toBeGreaterThan(20);
});
