import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";
import { optionsOf } from "./command";

const root = join(import.meta.dirname, "..");
const commands = await opened(openTestCommands());

test.each<[number, RegExp, string[]]>([
  [
    1,
    /sign_up is "maybe": it must be one of open, invite, closed/,
    ["setting", "set", "--name", "sign_up", "--value", "maybe"],
  ],
  [1, /no setting port/, ["setting", "unset", "--name", "port"]],
  [
    2,
    /--state is "over"/,
    ["incident", "update", "--id", "a", "--text-en", "b", "--state", "over"],
  ],
  [
    2,
    /--level is "loud"/,
    ["notice", "post", "--text-en", "a", "--text-zh", "b", "--level", "loud"],
  ],
  [
    1,
    /must be in the future/,
    ["price", "set", "--model", "relay-v1", "--output", "1", "--effective", "2020-01-01"],
  ],
  [2, /no command nothing/, ["nothing"]],
  [2, /account needs one of create, credit/, ["account", "delete"]],
  [2, /--email is missing/, ["account", "show"]],
  [2, /--emial/, ["account", "show", "--emial", "x"]],
  [
    2,
    /--points 1\.2345678/,
    ["account", "credit", "--email", "a@b.c", "--points", "1.2345678", "--reason", "x"],
  ],
  [2, /--reason is missing/, ["account", "credit", "--email", "a@b.c", "--points", "1"]],
  [2, /10 to 200 characters/, ["account", "create", "--email", "a@b.c", "--password", "short"]],
  [1, /no account for nobody@example.com/, ["account", "show", "--email", "nobody@example.com"]],
  [1, /no model gpt-4/, ["price", "set", "--model", "gpt-4", "--output", "1"]],
  [1, /no such key/, ["key", "revoke", "--id", "key_none"]],
  [1, /no channel ch_none/, ["channel", "disable", "--id", "ch_none"]],
])(
  "exit %i with %s on standard error and nothing on standard output",
  async (exit, message, words) => {
    const { code, out, err } = await commands.relay(...words, "--json");
    expect([code, out]).toEqual([exit, ""]);
    expect(err).toMatch(message);
  },
);

test("a wrong setting and an unreachable database print one line and exit with 1", async () => {
  const { DATABASE_URL } = commands.environment;
  commands.environment.DATABASE_URL = "postgresql://127.0.0.1:1/none";
  const unreachable = await commands.relay("price list");
  expect([unreachable.code, unreachable.err.trim().split("\n")]).toEqual([
    1,
    [expect.stringContaining("ECONNREFUSED")],
  ]);
  commands.environment.DATABASE_URL = "mysql://x";
  const wrong = await commands.relay("price list");
  expect([wrong.code, wrong.err.trim().split("\n")]).toEqual([
    1,
    [expect.stringContaining("DATABASE_URL")],
  ]);
  commands.environment.DATABASE_URL = DATABASE_URL;
});

test("neither README nor help passes a secret as an option", async () => {
  const { out } = await commands.relay("--help");
  const texts = [
    out,
    ...["README.md", "docs/operating.md", "server/main.ts"].map((file) =>
      readFileSync(join(root, file), "utf8"),
    ),
  ];
  for (const text of texts) expect(text).not.toMatch(/--(password|api-key)[ =](?!-|\\|\|)\S/);
});

test("the options of a command are those of its usage, with a value where one follows, and what is not shown", () => {
  const usage =
    "--id C [--key -] --on A|B [--all] | --none [--at 'X'] --more N|--less N   (as --id is said: --all; --other X)";
  expect(optionsOf({ usage, unshown: { "key-stdin": "boolean" } })).toEqual({
    ...{ id: "string", key: "string", on: "string", all: "boolean", none: "boolean", at: "string" },
    ...{ more: "string", less: "string", "key-stdin": "boolean", json: "boolean" },
  });
});
