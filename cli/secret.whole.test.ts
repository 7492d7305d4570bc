/**
 * Tests the rotation of the secret while two processes use credentials encrypted with it, and a
 * rotation that is killed half-way.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInProcess } from "@/testing/cli/commands";
import { createTestDatabase } from "@/testing/db/test-database";
import { newFolder } from "@/testing/unit/new-folder";
import { sealCredential } from "../lib/channels/credential";
import { openDataFolder } from "../lib/process/data-folder";

const root = join(import.meta.dirname, "..");
const builtAs = (script: string) => join(root, "dist", `secret-test-${process.pid}-${script}.mjs`);
const CHANNELS = 300;
const folder = newFolder("secret-rotation");
const children: ChildProcess[] = [];
let environment: NodeJS.ProcessEnv;
let database: pg.Client;

beforeAll(async () => {
  await build({
    entryPoints: {
      [`secret-test-${process.pid}-cli`]: join(root, "cli/main.ts"),
      [`secret-test-${process.pid}-registry`]: join(root, "testing/channels/registry-process.ts"),
    },
    outdir: join(root, "dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  const DATABASE_URL = await createTestDatabase();
  environment = {
    ...process.env,
    DATABASE_URL,
    RELAY_DATA_DIR: folder,
    RELAY_SECRET: "",
    RELAY_SECRET_PREVIOUS: "",
  };
  database = new pg.Client({ connectionString: DATABASE_URL });
  await database.connect();
  const { secret } = openDataFolder(folder);
  for (let n = 0; n < CHANNELS; n++) {
    const { credential, credentialNonce } = sealCredential(secret, `ch_${n}`, `key-of-${n}`);
    await database.query(
      "insert into channel (id, name, protocol, base_url, models, credential, credential_nonce) values ($1, $2, 'openai', 'https://a.example', '{}', $3, $4)",
      [`ch_${n}`, `${n}`, Buffer.from(credential), Buffer.from(credentialNonce)],
    );
  }
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await database.end();
  for (const path of [folder, builtAs("cli"), builtAs("registry")])
    rmSync(path, { recursive: true, force: true });
});

function start(script: string, words: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [builtAs(script), ...words], {
    cwd: root,
    env: { ...environment, ...more },
  });
  children.push(child);
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output.text += part;
    });
  }
  return {
    child,
    output,
    ended: new Promise<number | null>((resolve) => child.once("close", resolve)),
  };
}
/** Runs a command in this process. `start` runs one in a process that can be killed. */
async function relay(words: readonly string[], more: Record<string, string> = {}) {
  const given = { environment: { ...environment, ...more } };
  const { code, out, err } = await runInProcess(words, given);
  return { code, text: out + err };
}
async function startRegistry(more: Record<string, string> = {}) {
  const registry = start("registry", [String(CHANNELS)], more);
  await expect.poll(() => registry.output.text, { timeout: 60_000 }).toContain("ready");
  return registry;
}
type RegistryProcess = Awaited<ReturnType<typeof startRegistry>>;

/** Stops the processes. Each must have found every credential correct at every check. */
async function endGood(...processes: readonly RegistryProcess[]): Promise<void> {
  for (const { child, output, ended } of processes) {
    child.kill("SIGTERM");
    await ended;
    expect(output.text).toMatch(/^ready\nchecked \d+\n$/);
  }
}
const secretNow = () => readFileSync(join(folder, "secret"), "utf8");
const nonces = async () =>
  (
    await database.query<{ nonce: string }>(
      "select encode(credential_nonce, 'hex') as nonce from channel",
    )
  ).rows;

test("a secret rotation that is killed while two servers run leaves every credential readable and can be resumed", async () => {
  const [before, sealed] = [secretNow(), new Set((await nonces()).map(({ nonce }) => nonce))];
  const left = async () => (await nonces()).filter(({ nonce }) => sealed.has(nonce)).length;
  const processes = [await startRegistry(), await startRegistry()];
  const killed = start("cli", ["secret", "rotate"]);
  await expect.poll(left, { timeout: 90_000, interval: 1 }).toBeLessThan(CHANNELS);
  killed.child.kill("SIGKILL");
  await killed.ended;
  expect(await left()).toBeGreaterThan(0);
  expect(secretNow()).not.toBe(before);
  expect(readFileSync(join(folder, "secret.previous"), "utf8")).toBe(before);
  processes.push(await startRegistry());
  expect(await relay(["secret", "forget"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("run `secret rotate` again"),
  });

  const current = secretNow();
  expect(await relay(["secret", "rotate"])).toMatchObject({ code: 0 });
  expect([await left(), secretNow()]).toEqual([0, current]);
  expect(await relay(["secret", "rotate"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("secret forget"),
  });
  expect(await relay(["secret", "forget"])).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, "secret.previous"))).toBe(false);
  await endGood(...processes, await startRegistry());
}, 300_000);

test("a secret from the environment is rotated by naming the previous one", async () => {
  const [old, next] = [secretNow(), "the next secret of this installation, long enough"];
  expect(await relay(["secret", "rotate"], { RELAY_SECRET: old })).toMatchObject({
    code: 1,
    text: expect.stringContaining("RELAY_SECRET_PREVIOUS"),
  });
  const both = { RELAY_SECRET: next, RELAY_SECRET_PREVIOUS: old };
  const processes = [await startRegistry(both), await startRegistry(both)];
  expect(await relay(["secret", "rotate"], both)).toMatchObject({
    code: 0,
    text: expect.stringContaining(`${CHANNELS} credentials`),
  });
  await endGood(...processes, await startRegistry({ RELAY_SECRET: next }));
  expect(await relay(["secret", "forget"], both)).toMatchObject({
    code: 0,
    text: expect.stringContaining("RELAY_SECRET_PREVIOUS"),
  });
  const strangers = {
    RELAY_SECRET: "a secret that never sealed anything here",
    RELAY_SECRET_PREVIOUS: old,
  };
  expect(await relay(["secret", "rotate"], strangers)).toMatchObject({
    code: 1,
    text: expect.stringContaining("neither"),
  });
}, 300_000);
