/** The built product as a process: how it starts, refuses to start, and stops. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { livePostmaster } from "@/lib/db/embedded/postmaster";
import { createTestDatabase, ownerUrlOf } from "@/lib/db/testing";
import { giveToOrdinaryUser, makeReachableProject } from "@/lib/db/testing-reachable-project";

const root = join(import.meta.dirname, "..");
const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const products: Product[] = [];

interface Product {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  /** The text of standard output and standard error so far. */
  readonly output: { text: string };
  /** The address that it serves; rejects when the process ends first. */
  readonly address: Promise<string>;
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relay-main-"));
  folders.push(folder);
  return join(folder, "data");
}

const startItself = [process.execPath, "server/start.mjs"];

function start(
  settings: Record<string, string>,
  identity: { uid?: number; gid?: number } = {},
  [command = "", ...words]: readonly string[] = startItself,
  cwd = root,
): Product {
  const inherited = Object.fromEntries(["PATH", "HOME", "LANG"].map((name) => [name, process.env[name]]));
  const child = spawn(command, words, {
    ...identity,
    cwd,
    env: { ...inherited, PORT: "0", ...settings } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output.text += part;
    });
  }
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /serves on (http:\S+)/.exec(output.text)?.[1];
      if (found) resolve(found);
    });
    // It never rejects.
    void exitCode.then((code) => reject(new Error(`ended with ${code}: ${output.text}`)));
  });
  address.catch(() => {});
  const product = { process: child, exitCode, output, address };
  products.push(product);
  return product;
}

const clusterOf = (folder: string) => join(folder, "postgres", "cluster");
const running = (folder: string) => (existsSync(clusterOf(folder)) ? livePostmaster(clusterOf(folder)) : undefined);

beforeAll(() => {
  execFileSync(process.execPath, ["server/build.mjs"], { cwd: root, stdio: "pipe" });
}, 180_000);

afterEach(async () => {
  for (const product of products.splice(0)) {
    product.process.kill("SIGKILL");
    await product.exitCode;
  }
  for (const folder of folders.splice(0)) {
    const left = running(join(folder, "data"));
    if (left) process.kill(left.pid, "SIGKILL");
    await expect.poll(() => running(join(folder, "data"))).toBeUndefined();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

test.each(["SIGINT", "SIGTERM"] as const)("npm start ends whole when npm alone gets %s", async (signal) => {
  const folder = dataFolder();
  const product = start({ RELAY_DATA_DIR: folder }, {}, ["npm", "start"]);
  const address = await product.address;
  product.process.kill(signal);
  await product.exitCode;
  await expect.poll(() => running(folder), { timeout: 10_000 }).toBeUndefined();
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

/** Everything that a raw connection returns until it closes. */
async function exchange(address: string, ...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

test("with the real pages behind it, raw requests of every form are answered, and no body is read without a bound", async () => {
  const product = start({ RELAY_DATA_DIR: dataFolder() });
  const address = await product.address;
  const ask = (line: string, ...more: string[]) => exchange(address, line, "host: x", "connection: close", ...more);
  const upgrade = ["host: x", "upgrade: h2c", "connection: close, upgrade, http2-settings", "http2-settings: AAMAAABkAARAAAAAAAIAAAAA"];
  for (const path of ["/login", "/healthz", "/login", "/api/auth/csrf"]) {
    expect(await exchange(address, `GET ${path} HTTP/1.1`, ...upgrade), path).toMatch(/^HTTP\/1.1 200 /);
  }
  const lines = [
    "OPTIONS * HTTP/1.1",
    "OPTIONS / HTTP/1.1",
    "GET /docs/%ff%fe HTTP/1.1",
    "GET // HTTP/1.1",
    "GET //x//y HTTP/1.1",
    "GET /\\x HTTP/1.1",
  ];
  const more = [
    "TRACE / HTTP/1.1",
    "PUT /login HTTP/1.1",
    "HEAD /docs/%ff HTTP/1.1",
    "GET http://elsewhere/login HTTP/1.1",
    "GET /docs/%5c..%5c HTTP/1.1",
  ];
  for (const line of [...lines, ...more, `GET /${"%41".repeat(9000)} HTTP/1.1`, `GET /docs/${"a/".repeat(9000)} HTTP/1.1`]) {
    expect(await ask(line), line.slice(0, 60)).toMatch(/^HTTP\/1.1 [2-4]\d\d /);
  }
  const post = ["POST /api/auth/callback/credentials HTTP/1.1", "content-type: application/json", "transfer-encoding: chunked"] as const;
  const chunk = `10000\r\n${"a".repeat(65_536)}`;
  expect(await ask(...post, "", ...Array.from({ length: 8 }, () => chunk))).toMatch(/^HTTP\/1.1 413 .*"body_too_large"/s);
  expect(await ask(...(post.slice(0, 2) as [string, string]), "content-length: 110000000", "", "{")).toMatch(/^HTTP\/1.1 413 /);
  expect((await fetch(`${address}/api/auth/csrf`)).status).toBe(200);
  expect(product.output.text).not.toMatch(/broke off|ERR_HTTP|ERR_STREAM/);
});

// Repeated when other work slowed the machine down: the claim is about what the product needs.
test("it serves from an empty folder, stops cleanly on a signal sent twice, and starts again within 5 seconds", { retry: 2 }, async () => {
  const folder = dataFolder();
  const first = start({ RELAY_DATA_DIR: folder });
  const address = await first.address;
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(first.output.text).toContain(`${address}/login`);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const secret = readFileSync(join(folder, "secret"), "utf8");
  expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  first.process.kill("SIGTERM");
  first.process.kill("SIGINT");
  expect(await first.exitCode).toBe(0);
  expect(running(folder)).toBeUndefined();
  const startedAt = Date.now();
  const second = start({ RELAY_DATA_DIR: folder });
  await second.address;
  expect(Date.now() - startedAt).toBeLessThan(5000);
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe(secret);
  expect(first.output.text + second.output.text).not.toContain(secret);
});

test("killed with -9 while serving, it starts again over what was left running", async () => {
  const folder = dataFolder();
  const first = start({ RELAY_DATA_DIR: folder });
  await first.address;
  first.process.kill("SIGKILL");
  await first.exitCode;
  expect(running(folder)).toBeDefined();
  const second = start({ RELAY_DATA_DIR: folder });
  expect((await fetch(`${await second.address}/readyz`)).status).toBe(200);
  second.process.kill("SIGTERM");
  expect(await second.exitCode).toBe(0);
  expect(running(folder)).toBeUndefined();
});

test("two of them share one data folder, and the database stays until the second stops", async () => {
  const folder = dataFolder();
  const both = [start({ RELAY_DATA_DIR: folder }), start({ RELAY_DATA_DIR: folder })] as const;
  const [, second] = await Promise.all(both.map((product) => product.address));
  both[0].process.kill("SIGTERM");
  expect(await both[0].exitCode).toBe(0);
  expect((await fetch(`${second}/readyz`)).status).toBe(200);
  both[1].process.kill("SIGTERM");
  expect(await both[1].exitCode).toBe(0);
  expect(running(folder)).toBeUndefined();
});

test.each([50, 150, 300, 500, 800, 1200])(
  "a signal %i ms after the start stops all of it with exit code 0 or by the signal",
  async (milliseconds) => {
    const folder = dataFolder();
    const product = start({ RELAY_DATA_DIR: folder });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    product.process.kill("SIGTERM");
    // Before Node has loaded the first line, which takes longer on a busy machine, a signal ends
    // the process by itself.
    expect(await product.exitCode).toBe(milliseconds <= 500 && product.process.signalCode ? null : 0);
    expect(running(folder)).toBeUndefined();
  },
);

const onlyLine = (product: Product) => product.output.text.trim().split("\n");

test("a taken port is named in one line", async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port)),
  );
  const folder = dataFolder();
  const product = start({ RELAY_DATA_DIR: folder, PORT: String(port) });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([expect.stringMatching(`PORT=${port} cannot be used.*another program listens`)]);
  expect(existsSync(folder)).toBe(false);
  taken.close();
});

test("a wrong setting is named in one line", async () => {
  const product = start({ RELAY_DATA_DIR: dataFolder(), PUBLIC_URL: "relay" });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([expect.stringMatching(/PUBLIC_URL=relay cannot be used/)]);
});

test("a database that does not answer is named in one line without its password, and no other is started", async () => {
  const folder = dataFolder();
  const product = start({ RELAY_DATA_DIR: folder, DATABASE_URL: "postgresql://user:hidden@127.0.0.1:1/relay" });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([expect.stringMatching(/DATABASE_URL cannot be used: the database relay at 127\.0\.0\.1:1/)]);
  expect(product.output.text).not.toContain("hidden");
  expect(existsSync(folder)).toBe(false);
});

test("with DATABASE_URL set, that database is used and none is started", async () => {
  const folder = dataFolder();
  const product = start({ RELAY_DATA_DIR: folder, DATABASE_URL: await createTestDatabase() });
  expect((await fetch(`${await product.address}/readyz`)).status).toBe(200);
  expect(existsSync(join(folder, "postgres"))).toBe(false);
  product.process.kill("SIGTERM");
  expect(await product.exitCode).toBe(0);
});

test("a database that may lose what it acknowledged is refused", async () => {
  const url = await createTestDatabase();
  const client = new pg.Client({ connectionString: ownerUrlOf(url) });
  await client.connect();
  await client.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`).finally(() => client.end());
  const product = start({ RELAY_DATA_DIR: dataFolder(), DATABASE_URL: url });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([expect.stringContaining("synchronous_commit=off")]);
});

test.runIf(isRoot)(
  "an ordinary user starts and stops it too",
  async () => {
    const folder = dataFolder();
    mkdirSync(folder);
    const identity = giveToOrdinaryUser(folder);
    const project = makeReachableProject();
    onTestFinished(project.remove);
    const command = [project.node, "server/start.mjs"];
    const product = start({ RELAY_DATA_DIR: folder, HOME: folder }, identity, command, project.folder);
    expect((await fetch(`${await product.address}/readyz`)).status).toBe(200);
    product.process.kill("SIGTERM");
    expect(await product.exitCode).toBe(0);
    expect(running(folder)).toBeUndefined();
  },
  120_000,
);
