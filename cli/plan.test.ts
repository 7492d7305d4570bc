import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";

let commands: TestCommands;
beforeAll(async () => {
  commands = await openTestCommands();
});
afterAll(() => commands.remove());

const plan = (...more: string[]) => commands.json("plan", ...more);
const refusal = async (...line: string[]) => (await commands.relay(...line)).err;

test("a plan is made, changed, given to an account, paused and ended, and retired", async () => {
  const terms = ["--points", "100", "--period", "hours", "--hours", "5", "--rollover", "25"];
  expect(await plan("create", "--name", "Small", ...terms, "--offered")).toMatchObject({
    plan: { name: "Small", points: 100, period: "hours", hours: 5, rollover: 25, accounts: 0 },
  });
  const change = ["--period", "day", "--amount", "900", "--currency", "EUR", "--hidden"];
  expect(await plan("change", "--plan", "small", ...change)).toMatchObject({
    plan: { period: "day", hours: null, amount: 900, currency: "eur", offered: false },
  });
  expect(await plan("change", "--plan", "Small", "--free")).toMatchObject({
    plan: { amount: null, currency: null },
  });
  const email = "ada@example.com";
  const password = ["--password", "correct horse battery"];
  await commands.json("account", "create", "--email", email, ...password);
  const of = ["--account", email];
  expect(await plan("set", "--plan", "Small", ...of)).toMatchObject({
    plan: { plan: "Small", status: "active", next: "Small" },
    lots: [{ reason: "Small", given: 100, left: 100, held: 0 }],
  });
  expect(await plan("pause", ...of)).toMatchObject({ plan: { status: "paused" } });
  expect(await plan("resume", ...of)).toMatchObject({ plan: { status: "active" } });
  expect(await plan("cancel", ...of)).toMatchObject({ plan: { next: null }, lots: [{}] });
  expect(await plan("cancel", "--when", "now", ...of)).toEqual({ plan: null, lots: [] });
  expect(await plan("show", ...of)).toEqual({ plan: null, lots: [] });
  expect(await plan("retire", "--plan", "Small")).toMatchObject({ plan: { retired: true } });
  expect(await refusal("plan", "set", "--plan", "Small", ...of)).toMatch(/retired/);
});

test("what a plan cannot be is refused, with the option's name", async () => {
  const create = ["plan", "create", "--name", "Other", "--points", "1"];
  expect(await refusal(...create, "--period", "year")).toMatch(/day, week, month, hours/);
  expect(await refusal(...create, "--period", "hours")).toMatch(/hours/);
  expect(await refusal(...create, "--period", "day", "--rollover", "200")).toMatch(/0 to 100/);
});
