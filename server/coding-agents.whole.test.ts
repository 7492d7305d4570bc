/**
 * Coding agents from their registries, unmodified, with the very files of the guide: each runs one
 * command and finishes. The ledger has one charge for each call of the model.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claudeCodeCommands, codexSettings, openCodeSettings } from "@/lib/docs/coding-agents";
import { mcpInClaudeCode, mcpInCodex } from "@/lib/docs/mcp-clients";
import { DONE, difficult, LOOKED_AT } from "@/testing/clients/difficult-upstream";
import { fromNpm, type Installed } from "@/testing/clients/install";
import { SAID_AT_END, shellCall, startScriptedAgent } from "@/testing/clients/scripted-agent";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

// They take hundreds of megabytes.
const codex = fromNpm("@openai/codex", "0.169.0");
const openCode = fromNpm("opencode-ai", "1.18.33", "postinstall.mjs");
const claudeCode = fromNpm("@anthropic-ai/claude-code", "2.1.330", "install.cjs");
const RUN_MS = 60_000;
const PROMPT = "Make the file and say when it is made.";

const home = newFolder("agents");
const work = join(home, "work");
mkdirSync(work);
const agent = await opened(startScriptedAgent("echo made by the agent >> made.txt"));
let known = 0;

/** Runs an agent in an empty home; nothing of the machine's own settings reaches it. */
function run(program: string, words: readonly string[], more: Record<string, string> = {}) {
  known = agent.seen.length;
  const { PATH = "" } = process.env;
  const child = spawn(program, words, {
    cwd: work,
    env: { PATH, HOME: home, RELAY_API_KEY: "good", ...more } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      output += part;
    });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
}

const programOf = (from: Installed, name: string): string =>
  "folder" in from ? join(from.folder, "node_modules/.bin", name) : "";

/** One charge for each call of the model, all in the same dialect. */
async function expectChargeForEachCall(dialect: string | null) {
  const calls = agent.seen.length - known;
  expect(calls).toBeGreaterThanOrEqual(2);
  await expect.poll(async () => (await agent.relay.balance()).held).toBe(0n);
  const { rows } = await agent.relay.pool.query(
    "select dialect, outcome from request order by id offset $1",
    [known],
  );
  expect(rows).toEqual(Array(calls).fill({ dialect, outcome: "settled" }));
}

const madeFile = () => {
  const path = join(work, "made.txt");
  const text = readFileSync(path, "utf8");
  rmSync(path);
  return text;
};

test("Codex", { timeout: RUN_MS + 5000 }, async ({ skip }) => {
  if ("reason" in codex) skip(codex.reason);
  const folder = join(home, ".codex");
  mkdirSync(folder);
  const settings = [codexSettings(agent.place), mcpInCodex(agent.place)];
  writeFileSync(join(folder, "config.toml"), settings.map(({ code }) => code).join("\n\n"));
  const flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
  const { code, output } = await run(programOf(codex, "codex"), ["exec", ...flags, PROMPT]);
  expect(code, output).toBe(0);
  expect(output).toContain(SAID_AT_END);
  expect(madeFile()).toBe("made by the agent\n");
  await expectChargeForEachCall("responses");
  // The tools of `/mcp` were offered to the model.
  expect(JSON.stringify(agent.seen[known]?.body.tools)).toContain("generate_image");
});

test("Codex, three calls at a difficult upstream", { timeout: 2 * RUN_MS + 5000 }, async ({
  skip,
}) => {
  if ("reason" in codex) skip(codex.reason);
  const lookAt = (tools: readonly unknown[], place: string) =>
    shellCall(tools, `echo ${place} >> looked.txt`);
  const other = await startScriptedAgent(difficult(1000, lookAt));
  try {
    const folder = join(home, "other");
    mkdirSync(folder);
    writeFileSync(join(folder, "config.toml"), codexSettings(other.place).code);
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    const { code, output } = await run(programOf(codex, "codex"), ["exec", ...flags, PROMPT], {
      CODEX_HOME: folder,
    });
    expect(code, output).toBe(0);
    expect(output).toContain(DONE);
    const looked = readFileSync(join(work, "looked.txt"), "utf8").trim().split("\n");
    expect(looked.sort()).toEqual([...LOOKED_AT].sort());
    await expect.poll(async () => (await other.relay.balance()).held).toBe(0n);
    const ends = (await other.relay.ends()).map(({ outcome }) => outcome);
    expect(ends).toEqual(["settled", "settled", "settled"]);
  } finally {
    await other.close();
  }
});

test("OpenCode", { timeout: RUN_MS + 5000 }, async ({ skip }) => {
  if ("reason" in openCode) skip(openCode.reason);
  writeFileSync(join(work, "opencode.json"), openCodeSettings(agent.place).code);
  const { code, output } = await run(programOf(openCode, "opencode"), ["run", PROMPT], {
    OPENCODE_DISABLE_AUTOUPDATE: "true",
  });
  expect(code, output).toBe(0);
  expect(output).toContain(SAID_AT_END);
  expect(madeFile()).toBe("made by the agent\n");
  await expectChargeForEachCall(null);
});

test("Claude Code", { timeout: RUN_MS + 5000 }, async ({ skip }) => {
  if ("reason" in claudeCode) skip(claudeCode.reason);
  const { code: commands } = claudeCodeCommands(agent.place);
  expect(commands).toMatch(/\nclaude$/);
  const program = programOf(claudeCode, "claude");
  const line = `'${program}' -p "${PROMPT}" --allowedTools Bash`;
  const { code, output } = await run("bash", ["-c", commands.replace(/\nclaude$/, `\n${line}`)], {
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  });
  expect(code, output).toBe(0);
  expect(output).toContain(SAID_AT_END);
  expect(madeFile()).toBe("made by the agent\n");
  await expectChargeForEachCall("messages");
});

test("Claude Code reaches the tools of /mcp", { timeout: RUN_MS + 5000 }, async ({ skip }) => {
  if ("reason" in claudeCode) skip(claudeCode.reason);
  const program = `'${programOf(claudeCode, "claude")}'`;
  const add = mcpInClaudeCode(agent.place).code.replace(/^claude/, program);
  const { code, output } = await run("bash", ["-c", `${add} && ${program} mcp list`]);
  expect(code, output).toBe(0);
  expect(output).toMatch(/relay: .*\/mcp.*Connected/);
});
