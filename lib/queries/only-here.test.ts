import { join } from "node:path";
import { expect, test } from "vitest";
import { productIn } from "@/server/sources.mjs";

/** Each pattern, with a line that it must find. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\.query\s*[<(]/, "await deps.pool.query<Row>(`select 1`)"],
  [/\$(query|execute)Raw|\$transaction/, "await deps.database.$executeRaw`x`"],
  [/\bdatabase\.\w+\.\w+\(/, "await deps.database.account.findUnique({})"],
];

test("the routes of the pages' API have no SQL: they read through queries and change data through commands", () => {
  const sources = productIn(join(import.meta.dirname, "../.."), ["lib/pages-api"]);
  expect(sources.length).toBeGreaterThan(18);
  for (const [pattern, line] of forbidden) {
    expect(line).toMatch(pattern);
    expect(sources.filter(({ text }) => pattern.test(text))).toEqual([]);
  }
});
