/**
 * The command line as a process, each start of which takes a second: what only a process can show.
 * `run.test.ts` tests what its commands do, in one process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandExit, openTestInstallation, runInProcess } from "@/testing/cli/commands";
import { isWhole } from "@/testing/extent/extent";

const root = join(import.meta.dirname, "..");
const name = `relay-test-${process.pid}`;
const dist = join(root, "dist");
const children: ChildProcess[] = [];
let environment: NodeJS.ProcessEnv;
let installation: Awaited<ReturnType<typeof openTestInstallation>>;

beforeAll(async () => {
  await build({
    entryPoints: { [name]: join(root, "cli/main.ts") },
    outdir: dist,
    outExtension: { ".js": ".mjs" },
    splitting: true,
    chunkNames: `${name}-[hash]`,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  installation = await openTestInstallation();
  environment = installation.environment;
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  installation.remove();
  for (const file of readdirSync(dist)) if (file.startsWith(name)) rmSync(join(dist, file));
});

function start(words: readonly string[]) {
  const program = join(dist, `${name}.mjs`);
  const child = spawn(process.execPath, [program, ...words], { cwd: root, env: environment });
  children.push(child);
  child.stdin.on("error", () => {});
  let [out, err] = ["", ""];
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stderr.on("data", (part) => {
    err += part;
  });
  const ended = new Promise<CommandExit>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

function relay(words: readonly string[], input = ""): Promise<CommandExit> {
  const { child, ended } = start(words);
  child.stdin.end(input);
  return ended;
}

const create = ["account", "create", "--json", "--email"];
const inProcess = (words: readonly string[], input = "", variables: Record<string, string> = {}) =>
  runInProcess(words, { environment: { ...environment, ...variables }, input });

test.runIf(isWhole)(
  "a password is read from the process's standard input or environment",
  async () => {
    const words = [...create, "stdin@example.com", "--password-stdin"];
    const piped = await relay(words, "piped horse battery\n");
    expect([piped.code, piped.err]).toEqual([0, ""]);
    const variables = { RELAY_PASSWORD: "a variable's horse" };
    const named = await inProcess([...create, "variable@example.com"], "", variables);
    expect([named.code, named.err]).toEqual([0, ""]);
    const empty = await inProcess([...create, "none@example.com", "--password-stdin"]);
    expect(empty).toMatchObject({ code: 2, out: "", err: expect.stringContaining("empty") });
  },
);

test.runIf(isWhole)("an upstream's key is read from standard input", async () => {
  const place = ["--protocol", "openai", "--base-url", "https://api.example.com/v1"];
  const words = ["channel", "create", "--name", "by-stdin", ...place, "--models", "RelayV1=x"];
  const key = ["--api-key", "-", "--json"];
  const { code, out } = await inProcess([...words, ...key], "upstream-canary\n");
  expect([code, JSON.parse(out).channel.has_api_key]).toEqual([0, true]);
  expect(out).not.toContain("canary");
});

test("arguments arrive unchanged, also a negative number, and --json prints one line", async () => {
  const made = [...create, "words@example.com", "--password-stdin", "--points", "3"];
  await inProcess(made, "correct horse battery");
  const reason = 'a "reason" $HOME 原因';
  const credit = ["account", "credit", "--email", "words@example.com", "--points", "-1.5"];
  const { code, out, err } = await relay([...credit, "--reason", reason, "--json"]);
  expect([code, err, out.trim().split("\n").length]).toEqual([0, "", 1]);
  expect(JSON.parse(out).entry.points).toBe(-1.5);
});

test("the exit code is 0 for help, 1 for a refusal and 2 for wrong usage", async () => {
  const help = await inProcess(["--help"]);
  expect([help.code, help.err]).toEqual([0, ""]);
  expect(help.out).toContain("account create --email E");
  const unknown = ["account", "show", "--email", "nobody@example.com", "--json"];
  const refused = await relay(unknown);
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.err).toContain("no account for nobody@example.com");
  const misused = await relay(["account", "delete"]);
  expect([misused.code, misused.out]).toEqual([2, ""]);
  expect(await inProcess(unknown)).toEqual(refused);
  expect(await inProcess(["account", "delete"])).toEqual(misused);
});

test.runIf(isWhole)(
  "a signal ends a command that waits for its secret, and nothing was changed",
  async () => {
    const { child, ended } = start([...create, "signal@example.com", "--password-stdin"]);
    child.stdin.write("half a pass");
    const list = ["account", "list", "--search", "signal@", "--json"];
    // Which starts later, so that the first one waits by then.
    const listed = await relay(list);
    child.kill("SIGTERM");
    expect([(await ended).code, child.signalCode]).toEqual([null, "SIGTERM"]);
    for (const { out } of [listed, await inProcess(list)])
      expect(JSON.parse(out).accounts).toEqual([]);
  },
);
