import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { openDump } from "./dump";
import { dumpRows } from "./dump-values";
import type { SourceRow, SourceTable } from "./source";

const folder = newFolder("dump");

async function rowsOf(text: string | Buffer, table: SourceTable, name = "dump.sql") {
  const file = join(folder, name);
  writeFileSync(file, text);
  const source = await openDump(file);
  const rows: SourceRow[] = [];
  for await (const batch of source.rows(table)) rows.push(...batch);
  return rows;
}

test("values are read with their escapes, marks, numbers and NULL", () => {
  const line = String.raw`(1,'it''s \'a\' \\ \n(x),(y)',NULL,-2.5,_utf8mb4 'é'), (2,'','null',0x41,'a;');`;
  expect([...dumpRows(line, 0)]).toEqual([
    ["1", "it's 'a' \\ \n(x),(y)", null, "-2.5", "é"],
    ["2", "", "null", "0x41", "a;"],
  ]);
  expect(() => [...dumpRows("(1,'a", 0)]).toThrow(/does not end/);
  expect(() => [...dumpRows("(1,2", 0)]).toThrow(/does not end/);
});

const created =
  "CREATE TABLE `tokens` (\n  `id` int NOT NULL,\n  `name` text,\n  `key` char(48),\n  PRIMARY KEY (`id`)\n);\n";

test("columns come from the table or the INSERT, which may go over lines", async () => {
  const plain = `${created}INSERT INTO \`tokens\` VALUES (1,'a','k1'),(2,'b','k2');\n`;
  const spread =
    "INSERT INTO `tokens` (`key`, `id`) VALUES\n('k1', 1),\n('k2;', 2);\nINSERT INTO `users` VALUES (9);\n";
  expect(await rowsOf(plain, "tokens")).toEqual([
    { id: "1", name: "a", key: "k1" },
    { id: "2", name: "b", key: "k2" },
  ]);
  expect(await rowsOf(spread, "tokens")).toEqual([
    { id: "1", key: "k1" },
    { id: "2", key: "k2;" },
  ]);
  expect(await rowsOf(gzipSync(plain), "tokens", "dump.sql.gz")).toHaveLength(2);
});

test("what cannot be read safely is refused, not guessed", async () => {
  const unordered = `${created}INSERT INTO \`tokens\` VALUES (2,'b','k2'),(1,'a','k1');\n`;
  await expect(rowsOf(unordered, "tokens")).rejects.toThrow(/--order-by-primary/);
  const short = `${created}INSERT INTO \`tokens\` VALUES (2,'b');\n`;
  await expect(rowsOf(short, "tokens")).rejects.toThrow(/2 values for 3/);
});
