import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import { verifyPassword } from "../lib/accounts/password";
import { openPool } from "../lib/db/pool";

let commands: TestCommands;
beforeAll(async () => {
  commands = await openTestCommands();
});
afterAll(() => commands.remove());

const create = (email: string, ...more: string[]) =>
  commands.json(
    "account",
    "create",
    "--email",
    email,
    "--password",
    "correct horse battery",
    ...more,
  );

test("an operator sets a password and an address, and closes the account", async () => {
  const email = "ada@example.com";
  await create(email);
  await create("taken@example.com");
  const next = ["--password", "another horse battery"];
  await commands.json("account", "password", "--email", email, ...next);
  expect(
    (await commands.relay("account", "email", "--email", email, "--to", "taken@example.com")).err,
  ).toMatch(/already_exists|has an account/);
  expect(
    (await commands.relay("account", "email", "--email", email, "--to", "nonsense")).err,
  ).toMatch(/--to nonsense is not an email address/);
  await commands.json("account", "email", "--email", email, "--to", "Ada@example.org");
  const pool = openPool(commands.environment.DATABASE_URL ?? "", 1);
  const { rows } = await pool.query<{ hash: string; version: number }>(
    `select password_hash as hash, session_version as version from "user" where email = 'ada@example.org'`,
  );
  expect(await verifyPassword(rows[0]?.hash ?? null, "another horse battery")).toBe(true);
  expect(rows[0]?.version).toBe(2);
  const close = ["account", "close", "--email", "ada@example.org", "--confirm"];
  expect((await commands.relay(...close, email)).err).toMatch(/--confirm must repeat/);
  expect(await commands.json(...close, "ada@example.org")).toMatchObject({
    account: { status: "closed" },
  });
  const { rows: left } = await pool.query(`select from "user" where email like 'ada%'`);
  expect(left).toEqual([]);
  await pool.end();
});
