import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";

let commands: TestCommands;
beforeAll(async () => {
  commands = await openTestCommands();
});
afterAll(() => commands.remove());

const group = (...more: string[]) => commands.json("group", ...more);
const refusal = async (...line: string[]) => (await commands.relay(...line)).err;
const named = ["--name", "Partners"];

test("a group is created, changed, given to an account, and deleted once no account is in it", async () => {
  const terms = ["--value", "0.85", "--model-multipliers", "RelayV1=0.5", "--models", "RelayV1"];
  expect(await group("create", ...named, ...terms)).toMatchObject({
    group: { name: "Partners", multiplier: 0.85, models: ["RelayV1"], accounts: 0 },
  });
  const email = "ada@example.com";
  const password = ["--password", "correct horse battery"];
  await commands.json("account", "create", "--email", email, ...password);
  const put = ["account", "group", "--email", email];
  expect(
    await commands.json(...put, "--group", "Partners", "--reason", "A contract"),
  ).toMatchObject({ account: { group: "Partners" } });
  const shown = await commands.json("account", "show", "--email", email);
  expect(JSON.stringify(shown)).toContain("Partners");

  await group("change", ...named, "--value", "none", "--models", "all", "--new-name", "Friends");
  expect(await group("list")).toMatchObject({
    groups: [
      {
        name: "Friends",
        multiplier: null,
        models: [],
        model_multipliers: { RelayV1: 0.5 },
        accounts: 1,
      },
    ],
  });
  expect(await refusal("group", "delete", "--name", "Friends")).toMatch(/account/);
  expect(await commands.json(...put, "--none")).toMatchObject({ account: { group: null } });
  expect(await group("delete", "--name", "Friends")).toMatchObject({ group: { deleted: true } });
  expect(await group("list")).toEqual({ groups: [] });
});

test("what a group cannot be is refused, with the option's name", async () => {
  expect(await refusal("group", "create", ...named, "--value", "0")).toMatch(/0\.01 to 100/);
  expect(await refusal("group", "create", ...named, "--models", "nothing")).toMatch(/nothing/);
  expect(await refusal("group", "create", ...named, "--model-multipliers", "RelayV1")).toMatch(
    /RelayV1 is not MODEL=NUMBER/,
  );
  expect(await refusal("group", "show", "--name", "Unknown")).toMatch(/Unknown/);
  const put = ["account", "group", "--email", "ada@example.com"];
  expect(await refusal(...put)).toMatch(/--group G or --none/);
  expect(await refusal(...put, "--group", "Unknown", "--none")).toMatch(/--group G or --none/);
});
