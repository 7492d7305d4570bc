import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { giveToOrdinaryUser, makeReachableProject } from "@/testing/db/reachable-project";
import { bundled } from "@/testing/stage/bundle";
import { removeFolder } from "@/testing/stage/remove-folder";
import { pause } from "../timing/pause";
import { startEmbeddedPostgres } from "./embedded";
import { makeListedLinks } from "./embedded/native";
import { livePostmaster } from "./embedded/postmaster";

const root = join(import.meta.dirname, "../..");
const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const users: ChildProcess[] = [];
const endings: (() => void)[] = [];
/** Another program that uses a server. */
let userProgram: string;

beforeAll(async () => {
  userProgram = await bundled("testing/db/server-user.ts");
});
afterAll(() => {
  for (const end of endings) end();
});

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relay-embedded-"));
  folders.push(folder);
  return folder;
}

/** Where a server was made and stopped: a copy, since making one takes a second. */
async function usedFolder(): Promise<string> {
  const folder = dataFolder();
  used ??= makeUsed();
  execFileSync("cp", ["-a", `${await used}/.`, folder]);
  return folder;
}
let used: Promise<string> | undefined;
async function makeUsed(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "relay-embedded-"));
  endings.push(() => removeFolder(folder));
  await (await startEmbeddedPostgres(folder)).stop();
  return folder;
}

const clusterOf = (folder: string) => join(folder, "postgres", "cluster");

afterEach(async () => {
  for (const user of users.splice(0)) user.kill("SIGKILL");
  for (const folder of folders.splice(0)) {
    const runs = () => existsSync(clusterOf(folder)) && livePostmaster(clusterOf(folder));
    const running = runs();
    if (running) process.kill(running.pid, "SIGKILL");
    await expect.poll(runs, { timeout: 5000 }).toBeFalsy();
    removeFolder(folder);
  }
});

/** Starts another process that uses the server of `folder`. */
function startUser(
  folder: string,
  identity: { uid?: number; gid?: number } = {},
  project = { node: process.execPath, folder: root },
): ChildProcess & { url: Promise<string> } {
  const program = join(project.folder, relative(root, userProgram));
  const user = spawn(project.node, [program, folder], {
    ...identity,
    cwd: project.folder,
    env: { ...process.env, HOME: folder, TMPDIR: identity.uid === undefined ? tmpdir() : folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  users.push(user);
  let errors = "";
  user.stderr?.on("data", (part) => {
    errors += part;
  });
  const url = new Promise<string>((resolve, reject) => {
    user.stdout?.once("data", (line) => resolve(String(line).trim()));
    user.once("exit", () => reject(new Error(`ended: ${errors}`)));
  });
  url.catch(() => {});
  return Object.assign(user, { url });
}

const ended = async (process: ChildProcess) =>
  process.exitCode !== null || process.signalCode !== null || (await once(process, "exit"));

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

test("the first start creates a durable server in a private folder, and it stops with its last user", async () => {
  const folder = dataFolder();
  const postgres = await startEmbeddedPostgres(folder);
  const settings = await query<{ name: string; setting: string }>(
    postgres.ownerUrl,
    "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name",
  );
  expect(settings.map(({ setting }) => setting)).toEqual(["on", "on", "on"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "postgres", "password")).mode & 0o777).toBe(0o600);
  await Promise.all([postgres.stop(), postgres.stop()]);
  expect(livePostmaster(clusterOf(folder))).toBeUndefined();
  expect(existsSync(join(clusterOf(folder), "postmaster.pid"))).toBe(false);
});

test("a server whose starter was killed with -9 is reused with its data, also in a folder only root may enter", async () => {
  const folder = join(dataFolder(), "deep");
  folders.push(folder);
  const starter = startUser(folder);
  await query(await starter.url, "create table kept as select 1 as one");
  starter.kill("SIGKILL");
  await ended(starter);
  const before = livePostmaster(clusterOf(folder));
  expect(before).toBeDefined();
  const postgres = await startEmbeddedPostgres(folder);
  expect(livePostmaster(clusterOf(folder))?.pid).toBe(before?.pid);
  expect(await query(postgres.ownerUrl, "select one from kept")).toEqual([{ one: 1 }]);
  await postgres.stop();
  expect(livePostmaster(clusterOf(folder))).toBeUndefined();
});

test("processes that start at once share one server, which runs until the last of them ends", async () => {
  const folder = dataFolder();
  const others = [startUser(folder), startUser(folder)];
  const [own, ...urls] = await Promise.all([
    startEmbeddedPostgres(folder),
    ...others.map((user) => user.url),
  ]);
  expect(urls).toEqual([own.ownerUrl, own.ownerUrl]);
  others[0]?.kill("SIGTERM");
  await Promise.all([own.stop(), ended(others[0] as ChildProcess)]);
  expect(await query(own.ownerUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  others[1]?.kill("SIGTERM");
  await ended(others[1] as ChildProcess);
  expect(livePostmaster(clusterOf(folder))).toBeUndefined();
});

test("a process that arrives while the server is being stopped starts it again", async () => {
  const folder = await usedFolder();
  let postgres = await startEmbeddedPostgres(folder);
  for (let round = 0; round < 5; round++) {
    const [, next] = await Promise.all([postgres.stop(), startEmbeddedPostgres(folder)]);
    expect(await query(next.ownerUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    postgres = next;
  }
  await postgres.stop();
  expect(livePostmaster(clusterOf(folder))).toBeUndefined();
});

test("a first start killed with -9 at any moment does not prevent the next", async () => {
  const folder = dataFolder();
  for (const milliseconds of [300, 400, 500, 600, 700]) {
    const user = startUser(folder);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    user.kill("SIGKILL");
    await ended(user);
  }
  const filesAfterNextStart = async () => {
    const postgres = await startEmbeddedPostgres(folder);
    expect(await query(postgres.ownerUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    await postgres.stop();
    return readdirSync(join(folder, "postgres")).sort();
  };
  await expect
    .poll(filesAfterNextStart, { timeout: 15_000 })
    .toEqual(["cluster", "password", "server.log"]);
});

test("a server killed while in use is restarted at the same address with all committed data", async () => {
  const folder = await usedFolder();
  const postgres = await startEmbeddedPostgres(folder);
  await query(postgres.ownerUrl, "create table kept as select 1 as one");
  const pid = livePostmaster(clusterOf(folder))?.pid as number;
  process.kill(pid, "SIGKILL");
  await expect
    .poll(() => query(postgres.ownerUrl, "select one from kept").catch(() => []), {
      timeout: 15_000,
    })
    .toEqual([{ one: 1 }]);
  expect(livePostmaster(clusterOf(folder))?.pid).not.toBe(pid);
  await postgres.stop();
  expect(livePostmaster(clusterOf(folder))).toBeUndefined();
});

test("a process whose folder was removed neither spins nor fills the log, and can stop", async () => {
  const folder = await usedFolder();
  const postgres = await startEmbeddedPostgres(folder);
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const pid = livePostmaster(clusterOf(folder))?.pid as number;
  removeFolder(folder);
  process.kill(pid, "SIGKILL");
  await pause(3000);
  expect(write.mock.calls.flat().filter((text) => String(text).includes("ENOENT"))).toHaveLength(1);
  await postgres.stop();
});

/** A server that has stopped, while something else listens on its port. */
async function stoppedServer() {
  const folder = await usedFolder();
  const before = await startEmbeddedPostgres(folder);
  await before.stop();
  const port = Number(new URL(before.url).port);
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  return { folder, before, other, port };
}

test("a lock file with the process id of another program does not prevent a start, and a used port moves the server", async () => {
  const { folder, port } = await stoppedServer();
  const lock = [process.pid, clusterOf(folder), 1, port, "", "localhost", " 1 1", "ready", ""];
  writeFileSync(join(clusterOf(folder), "postmaster.pid"), lock.join("\n"));
  const postgres = await startEmbeddedPostgres(folder);
  expect(new URL(postgres.url).port).not.toBe(String(port));
  await postgres.stop();
});

test("a port that is taken for a moment does not move the server from the address that others know", async () => {
  const { folder, before, other } = await stoppedServer();
  setTimeout(() => other.close(), 500);
  const postgres = await startEmbeddedPostgres(folder);
  expect(postgres.url).toBe(before.url);
  process.kill(livePostmaster(clusterOf(folder))?.pid as number, "SIGKILL");
  const second = await startEmbeddedPostgres(folder);
  expect(second.url).toBe(before.url);
  await Promise.all([postgres.stop(), second.stop()]);
});

test("a copy of a data folder has its own server", async () => {
  const folder = await usedFolder();
  const first = await startEmbeddedPostgres(folder);
  const copy = dataFolder();
  cpSync(folder, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !basename(path).startsWith(".s.PGSQL"),
  });
  if (isRoot) execFileSync("chown", ["-R", `--reference=${clusterOf(folder)}`, clusterOf(copy)]);
  execFileSync("chmod", ["-R", "go-rwx", clusterOf(copy)]);
  const second = await startEmbeddedPostgres(copy);
  expect(livePostmaster(clusterOf(copy))?.pid).not.toBe(livePostmaster(clusterOf(folder))?.pid);
  await Promise.all([first.stop(), second.stop()]);
});

// `test:whole` shows it with the whole product, too (server/main.test.ts).
test.runIf(isRoot)(
  "an ordinary user can run it",
  async () => {
    const folder = join(dataFolder(), "own");
    folders.push(folder);
    mkdirSync(folder);
    const identity = giveToOrdinaryUser(folder);
    const project = makeReachableProject();
    onTestFinished(project.remove);
    const user = startUser(folder, identity, project);
    expect(await query(await user.url, "select 1 as one")).toEqual([{ one: 1 }]);
    user.kill("SIGTERM");
    await ended(user);
    expect(livePostmaster(clusterOf(folder))).toBeUndefined();
  },
  120_000,
);

test("symbolic links that no install script created are created", () => {
  const native = join(dataFolder(), "native");
  mkdirSync(join(native, "lib"), { recursive: true });
  writeFileSync(join(native, "lib", "libx.so.1.2"), "code");
  writeFileSync(
    join(native, "pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/libx.so.1.2", target: "native/lib/libx.so" }]),
  );
  makeListedLinks(native);
  makeListedLinks(native);
  expect(readFileSync(join(native, "lib", "libx.so"), "utf8")).toBe("code");
});
