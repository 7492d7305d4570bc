import { join } from "node:path";
import { expect, test } from "vitest";
import { connectDatabase } from "./client";
import { applyMigrations } from "./migrate";
import { createTestDatabase } from "./testing";

test("migrations that were applied are not applied again, and Prisma reads the tables they made", async () => {
  const url = await createTestDatabase();
  expect(await applyMigrations(url, join(import.meta.dirname, "../../prisma/migrations"))).toEqual([]);
  const database = connectDatabase(url, 1);
  await database.account.create({ data: { id: "acct_test" } });
  expect(await database.account.count()).toBe(1);
  await database.$disconnect();
});
