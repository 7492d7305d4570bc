import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());

const group = (...more: string[]) => commands.json("group", ...more);
const refusal = async (...line: string[]) => (await commands.relay(...line)).err;
const named = ["--name", "Partners"];

test("a group is created, changed, given to an account, and deleted once no account is in it", async () => {
  const terms = ["--multiplier", "0.85", "--models", "RelayV1"];
  const made = await group("create", ...named, ...terms, "--model-multipliers", "RelayV1=0.5");
  const modelMultipliers = [{ model: "RelayV1", multiplier: "0.5" }];
  const first = { name: "Partners", multiplier: "0.85", models: ["RelayV1"], members: 0 };
  expect(made.data).toMatchObject([{ ...first, model_multipliers: modelMultipliers }]);
  const email = "ada@example.com";
  const password = ["--password", "correct horse battery"];
  await commands.json("account create --email", email, ...password);
  const put = ["account", "group", "--email", email, "--reason", "A contract"];
  expect(await commands.json(...put, "--group", "partners")).toEqual({ done: true });
  const shown = await commands.json("account show --email", email);
  expect(JSON.stringify(shown)).toContain("Partners");

  const change = ["--multiplier", "none", "--models", "none", "--name", "Friends"];
  await group("change", "--group", "Partners", ...change);
  const changed = { name: "Friends", multiplier: null, models: [], members: 1 };
  expect((await group("list")).data).toMatchObject([
    { ...changed, model_multipliers: modelMultipliers },
  ]);
  expect(await refusal("group", "delete", "--group", "Friends")).toMatch(/account/);
  expect(await commands.json(...put, "--group", "none")).toEqual({ done: true });
  expect(await group("delete", "--group", "Friends")).toEqual({ object: "list", data: [] });
});

test("what a group cannot be is refused, with the option's name", async () => {
  expect(await refusal("group", "create", ...named, "--multiplier", "0")).toMatch(/0\.01 to 100/);
  expect(await refusal("group", "create", ...named, "--models", "nothing")).toMatch(/nothing/);
  expect(await refusal("group", "create", ...named, "--model-multipliers", "RelayV1")).toMatch(
    /RelayV1 is not MODEL=MULTIPLIER/,
  );
  expect(await refusal("group", "delete", "--group", "Unknown")).toMatch(/Unknown/);
  const put = ["account", "group", "--email", "ada@example.com"];
  expect(await refusal(...put, "--reason", "A contract")).toMatch(/--group is missing/);
  expect(await refusal(...put, "--group", "none")).toMatch(/--reason is missing/);
});
