/** Commands that a row of the pages makes. */
import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());

test("help shows a row's options: what it must have, what it may have, and their values", async () => {
  const { out } = await commands.relay("help");
  const help = (name: string) => out.split("\n").find((line) => line.startsWith(`  ${name} `));
  expect(help("package create")).toBe(
    "  package create --name T [--note T|none] --points N --amount N --currency T [--is-enabled yes|no] [--position N]",
  );
  expect(help("incident update")).toContain(
    "--id ID --state investigating|identified|monitoring|resolved [--text-en T|none]",
  );
  expect(help("webhook create")).toMatch(/^ {2}webhook create --url T --kinds .+,… --account A/);
});

test.each([
  [["package", "create", "--name", "A"], "--points is missing"],
  [
    ["package", "change", "--id", "pkg_a", "--is-enabled", "maybe"],
    "--is-enabled must be yes or no",
  ],
  [["package", "change", "--id", "pkg_a", "--amount", "0"], "--amount is 0: it must be at least 1"],
  [["invite", "create", "--points", "1.1234567"], "--points is"],
  [["webhook", "pause", "--account", "acct_a"], "--id is missing"],
])("%j is wrong usage", async (words, message) => {
  const { code, err } = await commands.relay(...words);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("an answer is what /v1 would answer, and a table for people; a refusal of the command names the option", async () => {
  const made = await commands.json("invite create --note", "a friend", "--points", "2.5");
  expect(made.invite).toMatchObject({
    note: "a friend",
    points: 2.5,
    created_at: expect.any(Number),
    used_at: null,
  });
  const { data, ...page } = await commands.json("invite list");
  expect([data, page]).toEqual([[made.invite], { object: "list", has_more: false, last_id: null }]);
  const { out } = await commands.relay("invite list");
  expect(out.split("\n")[0]).toMatch(/^id +note +points +status/);
  const refused = await commands.relay("package change --id pkg_none --amount 5");
  expect(refused.code).toBe(1);
});
