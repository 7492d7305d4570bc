/** The built product as a process: how it starts, refuses to start, and stops. */
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { slowness } from "@/testing/bodies/slowness";
import { giveToOrdinaryUser, makeReachableProject } from "@/testing/db/reachable-project";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { extent, isWhole } from "@/testing/extent/extent";
import {
  buildProduct,
  dataFolder,
  endProducts,
  runningDatabase,
  startProduct,
} from "@/testing/product/product";
import { listen } from "@/testing/stage/listen";
import type { Product } from "@/testing/stage/product";

const isRoot = process.getuid?.() === 0;
beforeAll(buildProduct, 180_000);

afterEach(endProducts);

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

test.runIf(isWhole)(
  "with DATABASE_URL set, that database is used and none is started; there, raw requests of every form are answered with the real pages, and every body is bounded",
  async () => {
    const folder = dataFolder();
    const product = startProduct({
      RELAY_DATA_DIR: folder,
      DATABASE_URL: await createTestDatabase(),
    });
    const address = await product.address;
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(existsSync(join(folder, "postgres"))).toBe(false);
    const ask = (line: string, ...more: string[]) =>
      exchange(address, line, "host: x", "connection: close", ...more);
    const upgrade = [
      "host: x",
      "upgrade: h2c",
      "connection: close, upgrade, http2-settings",
      "http2-settings: AAMAAABkAARAAAAAAAIAAAAA",
    ];
    for (const path of ["/login", "/healthz", "/login", "/api/auth/csrf"]) {
      expect(await exchange(address, `GET ${path} HTTP/1.1`, ...upgrade), path).toMatch(
        /^HTTP\/1.1 200 /,
      );
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
    for (const line of [
      ...lines,
      ...more,
      `GET /${"%41".repeat(9000)} HTTP/1.1`,
      `GET /docs/${"a/".repeat(9000)} HTTP/1.1`,
    ]) {
      expect(await ask(line), line.slice(0, 60)).toMatch(/^HTTP\/1.1 [2-4]\d\d /);
    }
    const post = [
      "POST /api/auth/callback/credentials HTTP/1.1",
      "content-type: application/json",
      "transfer-encoding: chunked",
    ] as const;
    const chunk = `10000\r\n${"a".repeat(65_536)}`;
    expect(await ask(...post, "", ...Array.from({ length: 8 }, () => chunk))).toMatch(
      /^HTTP\/1.1 413 .*"body_too_large"/s,
    );
    expect(
      await ask(...(post.slice(0, 2) as [string, string]), "content-length: 110000000", "", "{"),
    ).toMatch(/^HTTP\/1.1 413 /);
    expect((await fetch(`${address}/api/auth/csrf`)).status).toBe(200);
    expect(product.output.text).not.toMatch(/broke off|ERR_HTTP|ERR_STREAM/);
    product.process.kill("SIGTERM");
    expect(await product.exitCode).toBe(0);
  },
);

/** Starts it on a folder that it knows, at most three times: other work slows the machine down. */
async function startQuickly(folder: string, withinMs: number): Promise<Product> {
  for (let tries = 1; ; tries++) {
    const startedAt = Date.now();
    const product = startProduct({ RELAY_DATA_DIR: folder });
    await product.address;
    const took = Date.now() - startedAt;
    if (took < withinMs) return product;
    expect(tries, `the last start took ${took} ms`).toBeLessThan(3);
    product.process.kill("SIGTERM");
    expect(await product.exitCode).toBe(0);
  }
}

test.each(extent<NodeJS.Signals[]>(["SIGTERM"], ["SIGTERM", "SIGINT"]))(
  "npm start serves on an empty folder, stops completely when only npm gets %s, starts again within 5 seconds, and after kill -9 despite the processes left behind, and stops cleanly on a repeated signal",
  async (signal) => {
    const folder = dataFolder();
    const first = startProduct({ RELAY_DATA_DIR: folder }, { command: ["npm", "start"] });
    const address = await first.address;
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(first.output.text).toContain(`${address}/login`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const secret = readFileSync(join(folder, "secret"), "utf8");
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
    first.process.kill(signal);
    await first.exitCode;
    await expect.poll(() => runningDatabase(folder), { timeout: 10_000 }).toBeUndefined();
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
    // On a slow machine it may take longer.
    const second = await startQuickly(folder, 5000 * slowness());
    expect(readFileSync(join(folder, "secret"), "utf8")).toBe(secret);
    expect(first.output.text + second.output.text).not.toContain(secret);
    second.process.kill("SIGKILL");
    await second.exitCode;
    expect(runningDatabase(folder)).toBeDefined();
    const third = startProduct({ RELAY_DATA_DIR: folder });
    expect((await fetch(`${await third.address}/readyz`)).status).toBe(200);
    third.process.kill("SIGTERM");
    third.process.kill("SIGINT");
    expect(await third.exitCode).toBe(0);
    expect(runningDatabase(folder)).toBeUndefined();
  },
  180_000,
);

// `npm test` shows it without the product: lib/db/embedded.whole.test.ts.
test.runIf(isWhole)(
  "two instances share one data folder, and the database runs until the second stops",
  async () => {
    const folder = dataFolder();
    const both = [
      startProduct({ RELAY_DATA_DIR: folder }),
      startProduct({ RELAY_DATA_DIR: folder }),
    ] as const;
    const [, second] = await Promise.all(both.map((product) => product.address));
    both[0].process.kill("SIGTERM");
    expect(await both[0].exitCode).toBe(0);
    expect((await fetch(`${second}/readyz`)).status).toBe(200);
    both[1].process.kill("SIGTERM");
    expect(await both[1].exitCode).toBe(0);
    expect(runningDatabase(folder)).toBeUndefined();
  },
);

test.runIf(isWhole).each([50, 150, 300, 500, 800, 1200])(
  "a signal %i ms after the start stops all processes, with exit code 0 or by the signal",
  async (milliseconds) => {
    const folder = dataFolder();
    const product = startProduct({ RELAY_DATA_DIR: folder });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    product.process.kill("SIGTERM");
    // Before Node has loaded the first line, which takes longer on a busy machine, a signal ends
    // the process by itself.
    expect(await product.exitCode).toBe(
      milliseconds <= 500 && product.process.signalCode ? null : 0,
    );
    expect(runningDatabase(folder)).toBeUndefined();
  },
);

const onlyLine = (product: Product) => product.output.text.trim().split("\n");

test("a taken port is reported in one line", async () => {
  const { port, close } = await listen(createServer());
  const folder = dataFolder();
  const product = startProduct({ RELAY_DATA_DIR: folder, PORT: String(port) });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([
    expect.stringMatching(`PORT=${port} cannot be used.*another program is using it`),
  ]);
  expect(existsSync(folder)).toBe(false);
  await close();
});

test("a wrong setting is reported in one line", async () => {
  const product = startProduct({ RELAY_DATA_DIR: dataFolder(), PUBLIC_URL: "relay" });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([expect.stringMatching(/PUBLIC_URL=\S+ cannot be used/)]);
});

test("a database that does not answer is reported in one line without its password, and no other is started", async () => {
  const folder = dataFolder();
  const product = startProduct({
    RELAY_DATA_DIR: folder,
    DATABASE_URL: "postgresql://user:hidden@127.0.0.1:1/relay",
  });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([
    expect.stringMatching(/DATABASE_URL cannot be used: the database relay at 127\.0\.0\.1:1/),
  ]);
  expect(product.output.text).not.toContain("hidden");
  expect(existsSync(folder)).toBe(false);
});

test("a database that may lose acknowledged commits is refused", async () => {
  const url = await createTestDatabase();
  const client = new pg.Client({ connectionString: ownerUrlOf(url) });
  await client.connect();
  await client
    .query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
    .finally(() => client.end());
  const product = startProduct({ RELAY_DATA_DIR: dataFolder(), DATABASE_URL: url });
  expect(await product.exitCode).toBe(1);
  expect(onlyLine(product)).toEqual([expect.stringContaining("synchronous_commit=off")]);
});

// `npm test` shows it with the database alone: lib/db/embedded.whole.test.ts.
test.runIf(isRoot && isWhole)(
  "an ordinary user can start and stop it",
  async () => {
    const folder = dataFolder();
    mkdirSync(folder);
    const identity = giveToOrdinaryUser(folder);
    const project = makeReachableProject();
    onTestFinished(project.remove);
    const command = [project.node, "server/start.mjs"];
    const product = startProduct(
      { RELAY_DATA_DIR: folder, HOME: folder },
      { spawn: identity, command, checkout: project.folder },
    );
    expect((await fetch(`${await product.address}/readyz`)).status).toBe(200);
    product.process.kill("SIGTERM");
    expect(await product.exitCode).toBe(0);
    expect(runningDatabase(folder)).toBeUndefined();
  },
  120_000,
);
