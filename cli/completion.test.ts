import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";
import { nouns } from "./nouns";

const commands = await opened(openTestCommands());

test("bash completes nouns, verbs and options, those that rows make too", async () => {
  const { script } = await commands.json("completion bash");
  const offered = (...words: string[]) => {
    const line = `COMP_WORDS=(relay ${words.map((word) => `'${word}'`).join(" ")})`;
    const call = `${line}; COMP_CWORD=${words.length}; _relay; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", `${script}\n${call}`], { encoding: "utf8" }).trim();
  };
  expect(offered("").split(" ")).toEqual(Object.keys(nouns));
  expect(offered("pla")).toBe("plan");
  expect(offered("plan", "re")).toBe("retire resume");
  expect(offered("plan", "set", "--p")).toBe("--plan");
  expect(offered("plan", "set", "--plan", "Small", "--w")).toBe("--when");
  expect(offered("channel", "create", "--base")).toBe("--base-url");
  expect(offered("money", "--days", "7", "--j")).toBe("--json");
  expect(offered("nothing", "")).toBe("");
});

test("zsh and fish get the same words", async () => {
  for (const shell of ["zsh", "fish"]) {
    const { out } = await commands.relay("completion", shell);
    expect(out).toContain("--rollover-percent");
    expect(out).toContain(Object.keys(nouns).join(" "));
  }
});
