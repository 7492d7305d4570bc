import { expect, test } from "vitest";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import { words } from "@/testing/cli/words";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { verifyPassword } from "../lib/accounts/password";
import { openPool } from "../lib/db/pool";

const commands = await opened(openTestCommands());

test("an operator creates an account with points, credits it, sets its multiplier and creates a key", async () => {
  const { account } = await commands.json(
    ...words`account create --email Op@Example.com --password ${"correct horse battery"} --operator --points 3`,
  );
  expect(account).toMatchObject({
    id: expect.stringMatching(/^acct_/),
    email: "op@example.com",
    operator: true,
    available_points: 3,
  });
  const credited = await commands.json(
    "account credit --email op@example.com --points 0.000001 --reason test",
  );
  expect(credited).toMatchObject({
    account: { available_points: 3.000001 },
    entry: { id: expect.any(String), points: 0.000001 },
  });
  const taken = await commands.json(
    "account credit --email op@example.com --points -1.5 --reason test",
  );
  expect(taken).toMatchObject({ account: { available_points: 1.500001 }, entry: { points: -1.5 } });
  await commands.json("account multiplier --email op@example.com --value 1.25");
  await commands.json("account multiplier --email op@example.com --value 0.5 --model relay-v1");
  expect((await commands.json("account show --email op@example.com")).account).toMatchObject({
    available_points: 1.500001,
    held_points: 0,
    multiplier: 1.25,
    model_multipliers: { RelayV1: 0.5 },
  });
  const made = await commands.json(
    `key create --email op@example.com --name ci --rpm 7 --budget 2 --models RelayV1 --expires ${dayFromNow(9)}T00:00:00Z`,
  );
  expect(made).toMatchObject({
    key: {
      id: expect.stringMatching(/^key_/),
      name: "ci",
      requests_per_minute: 7,
      revoked_at: null,
    },
    secret: expect.stringMatching(/^sk-rly-/),
  });
  expect((await commands.json("key revoke --id", made.key.id)).key.revoked_at).toEqual(
    expect.any(String),
  );
  expect((await commands.json("usage --email op@example.com --from 2026-01-01")).usage).toEqual([]);
}, 60_000);

test("a password comes from standard input or the environment, and is checked like one given as an option", async () => {
  const make = (
    email: string,
    given: Parameters<TestCommands["relayWith"]>[0],
    ...words: string[]
  ) => commands.relayWith(given, "account", "create", "--email", email, ...words, "--json");
  const piped = { input: "piped horse battery\n" };
  expect((await make("stdin@example.com", piped, "--password-stdin")).code).toBe(0);
  expect(
    (await make("dash@example.com", { input: "piped horse battery" }, "--password", "-")).code,
  ).toBe(0);
  expect(
    (await make("variable@example.com", { variables: { RELAY_PASSWORD: "a variable's horse" } }))
      .code,
  ).toBe(0);
  const pool = openPool(String(commands.environment.DATABASE_URL), 1);
  const { rows } = await pool.query<{ email: string; password_hash: string }>(
    `select email, password_hash from "user"`,
  );
  await pool.end();
  const hashes = new Map(rows.map((row) => [row.email, row.password_hash]));
  for (const email of ["stdin@example.com", "dash@example.com"])
    expect(await verifyPassword(hashes.get(email) ?? null, "piped horse battery")).toBe(true);
  expect(
    await verifyPassword(hashes.get("variable@example.com") ?? null, "a variable's horse"),
  ).toBe(true);
  expect(await make("none@example.com", {})).toMatchObject({
    code: 2,
    err: expect.stringContaining("RELAY_PASSWORD"),
  });
  expect(await make("none@example.com", { input: "\n" }, "--password-stdin")).toMatchObject({
    code: 2,
    err: expect.stringContaining("empty"),
  });
  expect(await make("none@example.com", { input: "short" }, "--password", "-")).toMatchObject({
    code: 2,
  });
}, 120_000);
