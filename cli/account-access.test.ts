import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";
import { verifyPassword } from "../lib/accounts/password";
import { openPool } from "../lib/db/pool";

const commands = await opened(openTestCommands());

const create = (email: string, ...more: string[]) =>
  commands.json("account create --email", email, "--password", "correct horse battery", ...more);

test("an operator sets a password and an address, and closes the account", async () => {
  const email = "ada@example.com";
  await create(email);
  await create("taken@example.com");
  const next = ["--password", "another horse battery"];
  await commands.json("account password --email", email, ...next);
  expect(
    (await commands.relay("account email --email", email, "--to", "taken@example.com")).err,
  ).toMatch(/already_exists|has an account/);
  expect((await commands.relay("account email --email", email, "--to", "nonsense")).err).toMatch(
    /--to nonsense is not an email address/,
  );
  await commands.json("account email --email", email, "--to", "Ada@example.org");
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

test("an operator sees a user's second factors and removes them, which is recorded", async () => {
  const email = "grace@example.com";
  await create(email);
  const pool = openPool(commands.environment.DATABASE_URL ?? "", 1);
  await pool.query(
    `insert into passkey (id, user_id, credential_id, public_key, counter, name)
       select 'psk_1', id, 'x', 'x', 0, 'laptop' from "user" where email = $1`,
    [email],
  );
  const none = { authenticator_app: false, passkeys: 0, recovery_codes_left: 0 };
  const words = ["account", "second-factor", "--email", email];
  expect(await commands.json(...words)).toEqual({ ...none, passkeys: 1 });
  expect(await commands.json("account show --email", email)).toMatchObject({
    account: { passkeys: 1 },
  });
  expect(await commands.json(...words, "--reset")).toEqual(none);
  const { rows } = await pool.query(
    `select u.has_second_factor as has, u.session_version as version, a.actor from "user" u
       join operator_action a on a.subject = u.id where a.action = 'second_factor.reset'`,
  );
  expect(rows).toEqual([{ has: false, version: 2, actor: "cli" }]);
  await pool.end();
});
