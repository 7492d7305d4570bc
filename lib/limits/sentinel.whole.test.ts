/**
 * Real Valkey or Redis with Sentinel and HAProxy, by the files of the worked set-up: after a change
 * of the primary the limits are shared again.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { findProgram, startProgram } from "@/testing/neighbours/program";
import { freePort } from "@/testing/stage/listen";
import { newFolder } from "@/testing/unit/new-folder";
import { createKeyLimiter } from "./key-limiter";
import { createRedisWindows } from "./redis-windows";
import { openSharedWindows } from "./shared-windows";

const server = findProgram(["valkey-server", "redis-server"]);
const balancer = spawnSync("haproxy", ["-v"]).status === 0 ? "haproxy" : undefined;
const files = join(import.meta.dirname, "../../deploy/ha");
/** As the files have it. */
const password = "CHANGE_ME";

async function call(
  options: { port: number; password?: string },
  command: string,
  ...words: string[]
): Promise<unknown> {
  const client = new Redis({ ...options, lazyConnect: true, retryStrategy: null });
  client.on("error", () => {});
  try {
    await client.connect();
    return await client.call(command, ...words);
  } finally {
    client.disconnect();
  }
}
const ask = (port: number, command: string, ...words: string[]) =>
  call({ port, password }, command, ...words);

async function startServer(folder: string, replicaOf?: number) {
  const port = await freePort();
  const secrets = ["--requirepass", password, "--masterauth", password];
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const of = replicaOf === undefined ? [] : ["--replicaof", "127.0.0.1", String(replicaOf)];
  const running = await startProgram(server ?? "", [...place, ...secrets, ...of], () =>
    ask(port, "ping"),
  );
  onTestFinished(() => running.stop());
  return { ...running, port };
}

/** The worked set-up's Sentinel, which alone decides here, and sooner. */
async function startSentinel(folder: string, primary: number) {
  const port = await freePort();
  const text = readFileSync(join(files, "sentinel.conf"), "utf8")
    .replace("port 26379", `port ${port}`)
    .replace("valkey-a 6379 2", `localhost ${primary} 1`)
    .replace("relay 2000", "relay 500");
  const file = join(folder, "sentinel.conf");
  writeFileSync(file, text);
  const running = await startProgram(server ?? "", [file, "--sentinel"], async () => {
    const replicas = await call({ port }, "sentinel", "replicas", "relay");
    return String(replicas).includes("slave");
  });
  onTestFinished(() => running.stop());
}

/** The worked set-up's HAProxy, with the address of Valkey alone. */
async function startBalancer(folder: string, ports: readonly number[]): Promise<number> {
  const port = await freePort();
  const text = readFileSync(join(files, "haproxy.cfg"), "utf8");
  const [head = ""] = text.split("listen primary");
  const part = /listen valkey[\s\S]*?(?=listen relay)/.exec(text)?.[0] ?? "";
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    head.replace("maxconn 20000", "maxconn 100") +
      part
        .replace("bind 127.0.0.1:6379", `bind 127.0.0.1:${port}`)
        .replace("valkey-a:6379", `127.0.0.1:${ports[0]}`)
        .replace("valkey-b:6379", `127.0.0.1:${ports[1]}`),
  );
  const running = await startProgram(balancer ?? "", ["-db", "-f", file], () => ask(port, "ping"));
  onTestFinished(() => running.stop());
  return port;
}

test("Sentinel changes the primary, HAProxy leads to it, and the limits are shared again", async ({
  skip,
}) => {
  skip(server === undefined, "neither valkey-server nor redis-server is installed");
  skip(balancer === undefined, "haproxy is not installed");
  const folder = newFolder("sentinel");
  const primary = await startServer(folder);
  const replica = await startServer(folder, primary.port);
  await startSentinel(folder, primary.port);
  const port = await startBalancer(folder, [primary.port, replica.port]);
  const shared = await openSharedWindows({
    url: `redis://:${password}@127.0.0.1:${port}`,
    processId: "one",
    countProcesses: async () => 2,
    log: () => {},
  });
  onTestFinished(() => shared.close());
  const limiter = createKeyLimiter(createRedisWindows(shared));
  await expect.poll(() => shared.isUp, { timeout: 20_000 }).toBe(true);
  expect((await limiter.take("key_a", 60, "request"))?.isAllowed).toBe(true);
  for (const gone of [primary, replica]) {
    const left = gone === primary ? replica : primary;
    gone.signal("SIGSTOP");
    await expect.poll(() => shared.isUp, { timeout: 20_000 }).toBe(false);
    await expect
      .poll(() => ask(left.port, "role").then(String), { timeout: 60_000 })
      .toContain("master");
    await expect.poll(() => shared.isUp, { timeout: 20_000 }).toBe(true);
    expect((await limiter.take("key_b", 60, "request"))?.isAllowed).toBe(true);
    expect(await ask(left.port, "exists", "relay:epoch")).toBe(1);
    gone.signal("SIGCONT");
    await expect
      .poll(() => ask(gone.port, "role").then(String), { timeout: 60_000 })
      .toContain("slave");
    // Its own copy is whole before it may be the primary.
    await expect
      .poll(() => ask(gone.port, "info", "replication").then(String), { timeout: 60_000 })
      .toContain("master_link_status:up");
  }
}, 240_000);
