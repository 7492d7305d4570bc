import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sourcesOf = (folder: string) =>
  readdirSync(join(import.meta.dirname, "..", folder))
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^testing/.test(name))
    .map((name) => join(folder, name));
const textOf = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");

/** Each pattern, with a line that it must find. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\.query\s*[<(]/, "await deps.pool.query<Row>(`select 1`)"],
  [/\$(query|execute)Raw|\$transaction/, "await deps.database.$executeRaw`x`"],
  [/\bdatabase\.\w+\.\w+\(/, "await deps.database.account.findUnique({})"],
];

test("the routes of the pages' API have no SQL: they read through queries and change data through commands", () => {
  const sources = sourcesOf("pages-api");
  expect(sources.length).toBeGreaterThan(18);
  for (const [pattern, line] of forbidden) {
    expect(line).toMatch(pattern);
    expect(sources.filter((path) => pattern.test(textOf(path)))).toEqual([]);
  }
});
