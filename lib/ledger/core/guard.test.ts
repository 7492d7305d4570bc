import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";

const migration = readFileSync(
  join(import.meta.dirname, "../../../prisma/migrations/20261203000200_ledger/migration.sql"),
  "utf8",
);
const guard = readFileSync(join(import.meta.dirname, "guard.ts"), "utf8");
const found = (pattern: RegExp) => [...migration.matchAll(pattern)].map(([, name = ""]) => name);

test("the start-up check knows every constraint and trigger of the ledger's tables", async () => {
  const client = await connect(await createTestDatabase());
  const { rows } = await client.query<{ name: string }>(
    // Those that only tell of a row keep no rule.
    `select tgname as name from pg_trigger where tgrelid = any($1::regclass[]) and not tgisinternal
        and tgname not like 'notification_of_%'`,
    [found(/^create table (\w+)/gm)],
  );
  await client.end();
  const names = [...rows.map(({ name }) => name), ...found(/constraint (\w+) (?:check|unique)/g)];
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !guard.includes(`"${name}"`))).toEqual([]);
});

const losses: [name: string, sql: string, told: string][] = [
  [
    "a check",
    "alter table wallet drop constraint wallet_available_not_negative",
    "wallet_available_not_negative",
  ],
  ["a trigger", "drop trigger request_append_only on request", "request_append_only"],
  [
    "a trigger that was only disabled",
    "alter table open_request disable trigger open_request_never",
    "open_request_never",
  ],
  [
    "a unique key",
    "alter table ledger_entry drop constraint ledger_entry_once",
    "ledger_entry_once",
  ],
];

test.each(losses)("a database that lost %s is not served", async (_name, sql, told) => {
  const url = await createTestDatabase();
  const client = await connect(url);
  await client.query(sql);
  await client.end();
  await expect(openTestLedger(url)).rejects.toThrow(told);
});
