/**
 * Tests the steps before the first module can be loaded, in a project of their own with a fake npm.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "@/testing/stage/remove-folder";

let project = "";
const children: ChildProcess[] = [];

/**
 * A fake npm: removes `node_modules`, records its start, waits, and installs. SLOW makes it wait
 * forever.
 */
const pretendedNpm = `
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
rmSync("node_modules", { recursive: true, force: true });
mkdirSync("node_modules/a", { recursive: true });
appendFileSync("begun", process.pid + "\\n");
if (process.env.SLOW) await new Promise((resolve) => setTimeout(resolve, Number(process.env.SLOW)));
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: { "node_modules/a": { version: "1.0.0" } } }));
appendFileSync("ended", process.argv.includes("--omit=dev") ? "production\\n" : "all\\n");
`;

const runner = `
import { stopOnSignals } from "./server/prepare/child.mjs";
import { releasePrepareLock } from "./server/prepare/lock.mjs";
import { prepare } from "./server/prepare/prepare.mjs";
stopOnSignals(0, releasePrepareLock);
await prepare([], { withDevelopment: process.argv[2] === "all" });
process.exit(0);
`;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "relay-prepare-"));
  mkdirSync(join(project, "server"));
  cpSync(import.meta.dirname, join(project, "server", "prepare"), { recursive: true });
  writeFileSync(join(project, "npm.js"), pretendedNpm);
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  writeFileSync(join(project, "run.js"), runner);
  writeLock("1.0.0");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const pid of lines("begun").map(Number)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {}
  }
  removeFolder(project);
});

function writeLock(version: string): void {
  const packages = {
    "": {},
    "node_modules/a": { version },
    "node_modules/b": { version: "2.0.0", dev: true },
  };
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ packages }));
}

function lines(name: string): string[] {
  return existsSync(join(project, name))
    ? readFileSync(join(project, name), "utf8").trim().split("\n")
    : [];
}

function start(what: string, slow = ""): ChildProcess & { code: Promise<number | null> } {
  const child = spawn(process.execPath, ["run.js", what], {
    cwd: project,
    env: { ...process.env, npm_execpath: join(project, "npm.js"), SLOW: slow },
    stdio: "ignore",
  });
  children.push(child);
  return Object.assign(child, {
    code: new Promise<number | null>((resolve) => child.once("exit", resolve)),
  });
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

test("packages are installed once, again after a change of the lock file, and with test packages when requested", async () => {
  expect(await start("production").code).toBe(0);
  expect(await start("production").code).toBe(0);
  expect(lines("ended")).toEqual(["production"]);
  writeLock("1.0.1");
  expect(await start("production").code).toBe(0);
  expect(await start("all").code).toBe(0);
  expect(await start("production").code).toBe(0);
  expect(lines("ended")).toEqual(["production", "production", "all"]);
  writeLock("1.0.2");
  expect(await start("production").code).toBe(0);
  expect(lines("ended").at(-1)).toBe("all");
});

test("a manual installation is used if it matches the lock file, and replaced otherwise", async () => {
  mkdirSync(join(project, "node_modules"));
  const record = (version: string) =>
    writeFileSync(
      join(project, "node_modules/.package-lock.json"),
      JSON.stringify({ packages: { "node_modules/a": { version } } }),
    );
  record("0.9.0");
  await start("production").code;
  expect(lines("ended")).toEqual(["production"]);
  rmSync(join(project, "node_modules/.relay-lock"));
  record("1.0.0");
  await start("production").code;
  expect(lines("ended")).toEqual(["production"]);
});

test("two simultaneous starts install once", async () => {
  const both = [start("production", "500"), start("production", "500")];
  expect(await Promise.all(both.map((child) => child.code))).toEqual([0, 0]);
  expect(lines("begun")).toHaveLength(1);
});

test("a signal during an installation ends all its processes, and the next start installs", async () => {
  const first = start("production", "60000");
  await expect.poll(() => lines("begun"), { timeout: 10_000 }).toHaveLength(1);
  first.kill("SIGINT");
  first.kill("SIGTERM");
  expect(await first.code).toBe(0);
  expect(lives(Number(lines("begun")[0]))).toBe(false);
  expect(existsSync(join(project, "dist/prepare.lock"))).toBe(false);
  expect(await start("production").code).toBe(0);
  expect(lines("ended")).toHaveLength(1);
});

test("after kill -9 the next start waits for the installation left behind, then installs for itself", async () => {
  const first = start("production", "1500");
  await expect.poll(() => lines("begun"), { timeout: 10_000 }).toHaveLength(1);
  first.kill("SIGKILL");
  expect(await start("production").code).toBe(0);
  expect(lines("begun").length).toBe(lines("ended").length);
  expect(lives(Number(lines("begun")[0]))).toBe(false);
});
