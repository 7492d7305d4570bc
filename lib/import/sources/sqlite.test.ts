import { readdirSync } from "node:fs";
import { join } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { BATCH_ROWS, whole } from "./source";
import { openSqlite } from "./sqlite";

test("rows come in batches by their ids, and nothing is left beside the file", async () => {
  const folder = newFolder("sqlite");
  const file = join(folder, "theirs.db");
  const database = new sqlite.Database(file);
  database.exec(
    'create table users (id integer primary key, quota bigint, "group" text, other text)',
  );
  database.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i <= ${BATCH_ROWS})
     insert into users select i, i * 9007199254741, 'vip', 'x' from n`,
  );
  database.close();
  const source = openSqlite(file);
  const sizes: number[] = [];
  for await (const rows of source.rows("users")) {
    sizes.push(rows.length);
    expect(readdirSync(folder)).toEqual(["theirs.db"]);
    const [first = {}] = rows;
    expect(first).toMatchObject({ group: "vip" });
    expect(first).not.toHaveProperty("other");
    expect(whole(first, "quota")).toBe(whole(first, "id") * 9_007_199_254_741n);
  }
  expect(sizes).toEqual([BATCH_ROWS, 1]);
  expect([await source.has("users"), await source.has("logs")]).toEqual([true, false]);
  await source.close();
});
