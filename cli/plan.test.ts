import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());

const plan = (...more: string[]) => commands.json("plan", ...more);
const refusal = async (...line: string[]) => (await commands.relay(...line)).err;

test("a plan is made, changed, given to an account, paused and ended, and retired", async () => {
  const terms = ["--points", "100", "--period", "hours", "--hours", "5"];
  const rest = ["--rollover-percent", "25", "--is-offered", "yes"];
  const made = await plan("create", "--name", "Small", ...terms, ...rest);
  const first = { name: "Small", points: 100, period: "hours", hours: 5, rollover_percent: 25 };
  expect(made.data).toMatchObject([{ ...first, is_offered: true, accounts: 0 }]);
  const price = ["--amount", "900", "--currency", "eur", "--is-offered", "no"];
  const change = ["change", "--plan", "small", "--period", "day", "--hours", "none"];
  const changed = { period: "day", hours: null, amount: 900, currency: "eur", is_offered: false };
  expect((await plan(...change, ...price)).data).toMatchObject([changed]);
  const free = ["--amount", "none", "--currency", "none"];
  expect((await plan("change", "--plan", "Small", ...free)).data).toMatchObject([
    { amount: null, currency: null, rollover_percent: 25 },
  ]);
  const email = "ada@example.com";
  const password = ["--password", "correct horse battery"];
  await commands.json("account create --email", email, ...password);
  const of = ["--account", email];
  expect(await plan("set", "--plan", "Small", ...of)).toMatchObject({
    current: { plan: { name: "Small" }, status: "active", next: null, ends_with_period: false },
    lots: [{ reason: "Small", given_points: 100, left_points: 100, held_points: 0 }],
  });
  expect(await plan("pause", ...of)).toMatchObject({ current: { status: "paused" } });
  expect(await plan("resume", ...of)).toMatchObject({ current: { status: "active" } });
  expect(await plan("cancel", ...of)).toMatchObject({
    current: { ends_with_period: true },
    lots: [{}],
  });
  expect(await plan("cancel", "--when", "now", ...of)).toEqual({ current: null, lots: [] });
  expect(await plan("show", ...of)).toEqual({ current: null, lots: [] });
  const retired = await plan("retire", "--plan", "Small");
  expect(retired.data).toMatchObject([{ is_retired: true }]);
  expect(await refusal("plan", "set", "--plan", "Small", ...of)).toMatch(/retired/);
});

test("what a plan cannot be is refused, with the option's name", async () => {
  const create = ["plan", "create", "--name", "Other", "--points", "1"];
  expect(await refusal(...create, "--period", "year")).toMatch(/--period.*day.*week.*month.*hours/);
  expect(await refusal(...create, "--period", "hours")).toMatch(/hours/);
  const percent = ["--period", "day", "--rollover-percent", "200"];
  expect(await refusal(...create, ...percent)).toMatch(/--rollover-percent is 200/);
});
