import { expect, test } from "vitest";
import { openPool } from "@/lib/db/pool";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";

const email = "ada@example.com";
const commands = await opened(openTestCommands());
await commands.json("account create --email", email, "--password", "correct horse battery");

const create = (...more: string[]) =>
  commands.json("key create --email", email, "--name", "one", ...more);

test("a key of an operator has the limits that were given, and no other", async () => {
  await commands.json("setting set --name key_budget --value 5");
  const plain = await create();
  expect(plain.key).toMatchObject({ expires_at: null, hourly_spend_max: null, models: [] });
  const limits = ["--budget", "2", "--hourly-max", "1", "--addresses", "10.0.0.0/8, 2001:db8::1"];
  const limited = await create(...limits);
  expect(limited.key).toMatchObject({
    hourly_spend_max: 1,
    allowed_addresses: ["10.0.0.0/8", "2001:db8::1"],
  });
  const pool = openPool(commands.environment.DATABASE_URL ?? "", 1);
  const budgets = async () =>
    (await pool.query("select api_key_id as id, budget::int from api_key_budget")).rows;
  expect(await budgets()).toEqual([{ id: limited.key.id, budget: 2_000_000 }]);
  const lifted = ["--budget", "none", "--hourly-max", "none", "--addresses", "none"];
  const { key } = await commands.json("key change --id", limited.key.id, ...lifted);
  expect(key).toMatchObject({ name: "one", hourly_spend_max: null, allowed_addresses: [] });
  expect((await budgets()).filter(({ budget }) => budget !== null)).toEqual([]);
  const many = Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`).join(",");
  const refused = await commands.relay("key change --id", key.id, "--addresses", many);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/at most 50 addresses/) });
  await pool.end();
});

test("what is named on the command line is one line, as on the pages", async () => {
  const named: Record<string, string[]> = {
    "key create": ["--email", email],
    "management-key create": ["--email", email, "--scopes", "keys:read"],
    "operator-key create": ["--email", email, "--scopes", "audit:read"],
    "account name": ["--account", email],
    "channel create": ["--protocol", "openai", "--base-url", "https://a.example"],
  };
  for (const [command, given] of Object.entries(named))
    for (const name of ["a\nb", "a\u2028b", "a\u202eb"]) {
      const answer = await commands.relay(...command.split(" "), ...given, "--name", name);
      expect([command, answer.code, answer.err]).toEqual([
        command,
        2,
        expect.stringContaining("--name must be one line"),
      ]);
    }
}, 60_000);

test("an operator makes, lists and revokes management keys, and their secret is shown once", async () => {
  const words = ["management-key", "create", "--email", email, "--name", "deploy", "--scopes"];
  expect((await commands.relay(...words, "keys:all")).err).toMatch(/--scopes is "keys:all"/);
  const { key, secret } = await commands.json(...words, "usage:read,keys:read");
  expect(secret).toMatch(/^sk-rly-mgmt-/);
  expect(key).toMatchObject({ status: "active", scopes: ["keys:read", "usage:read"] });
  const listed = await commands.relay("management-key list --email", email, "--json");
  expect(listed.out).not.toContain(secret);
  expect(JSON.parse(listed.out)).toEqual({ object: "list", data: [key] });
  const of = ["--account", email];
  const revoked = await commands.json("management-key revoke --id", key.id, ...of);
  expect(revoked.key).toMatchObject({ id: key.id, status: "revoked" });
});
