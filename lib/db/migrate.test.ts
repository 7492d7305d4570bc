import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connectDatabase } from "./client";
import { applyMigrations } from "./migrate";

test("migrations are applied once, and Prisma can read the tables they created", async () => {
  const url = await createTestDatabase();
  expect(await applyMigrations(url, join(import.meta.dirname, "../.."))).toEqual([]);
  const database = connectDatabase(url, 1);
  await database.account.create({ data: { id: "acct_test" } });
  expect(await database.account.count()).toBe(1);
  await database.$disconnect();
});
