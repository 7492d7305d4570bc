/**
 * Models that begin with nothing: made, priced, mapped, tested and offered by the command line while
 * two processes of the built product run, each of which then serves and bills them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "@/lib/sandbox/sandbox";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import { words } from "@/testing/cli/words";
import { buildProduct, dataFolder, endProducts, startProduct } from "@/testing/product/product";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { newFolder } from "@/testing/unit/new-folder";

const WITHIN_MS = 5000;
const folder = newFolder("new-models");
let commands: TestCommands;
let sandbox: Sandbox;
let addresses: string[];
let secret: string;

const person = ["--email", "new@example.com"];

beforeAll(async () => {
  buildProduct();
  commands = await openTestCommands();
  sandbox = await startQuickSandbox();
  const { DATABASE_URL = "", RELAY_SECRET = "" } = commands.environment;
  const settings = { DATABASE_URL, RELAY_SECRET, RELAY_SANDBOX: "off" };
  const account = ["account", "create", ...person, "--points", "100000"];
  await commands.json(...account, "--password", "correct horse battery");
  secret = (await commands.json("key create", ...person, "--name", "one")).secret;
  addresses = [];
  for (const _ of [1, 2]) {
    const product = startProduct({ ...settings, RELAY_DATA_DIR: dataFolder() });
    addresses.push(await product.address);
  }
}, 300_000);
afterAll(async () => {
  await endProducts();
  await sandbox.close();
  await commands.close();
});

async function post(address: string, path: string, body: object) {
  const answer = await fetch(address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json(), headers: answer.headers };
}

const prompt = "a boat";
const models = [
  {
    file: {
      id: "acme-text",
      family: "text",
      spec: { output_tokens_max: 1000 },
      rates: [{ unit: "request", points: 3 }],
    },
    upstream: "sandbox-relay-v1",
    path: "/v1/chat/completions",
    body: { messages: [{ role: "user", content: "hello" }] },
    points: 3,
  },
  {
    file: {
      id: "acme-video",
      family: "video",
      spec: { durations: [4, 8], resolutions: ["480p"], ratios: ["16:9"] },
      rates: [{ unit: "second", points: 5 }],
    },
    upstream: "sandbox-super-relay-fast",
    path: "/v1/videos/generations",
    body: { prompt, duration: 4 },
    points: 20,
  },
  {
    file: {
      id: "acme-image",
      family: "image",
      spec: { sizes: ["1024x1024", "512x512"], qualities: ["standard", "high"] },
      rates: ["1024x1024", "512x512"].flatMap((size, at) => [
        { unit: "image", size, quality: "standard", points: 8 - at },
        { unit: "image", size, quality: "high", points: 20 - at },
      ]),
    },
    upstream: "another-image",
    path: "/v1/images/generations",
    body: { prompt, size: "512x512", quality: "high" },
    points: 19,
  },
  {
    file: {
      id: "acme-frames",
      family: "video",
      spec: { durations: [4], resolutions: ["480p"], last_frame: true },
      rates: [{ unit: "second", resolution: "480p", points: 2 }],
    },
    upstream: "sandbox-super-relay",
    path: "/v1/videos/generations",
    body: { prompt, duration: 4 },
    points: 8,
  },
];

// One of each family, or all.
test.each(models)(
  "$file.id goes from nothing to a billed request in both processes",
  async ({ file, upstream, path, body, points }) => {
    const order = { model: file.id, ...body };
    const all = () => Promise.all(addresses.map((address) => post(address, path, order)));
    for (const { json } of await all()) expect(json.error.code).toBe("model_not_found");
    const from = join(folder, `${file.id}.json`);
    writeFileSync(from, JSON.stringify(file));
    await commands.json("model create --from", from);
    const { baseUrl, apiKey } = sandbox.channel;
    const { channel } = await commands.json(
      ...words`channel create --name ${file.id} --protocol ark --base-url ${baseUrl}`,
      ...["--api-key", apiKey ?? "", "--models", `${file.id}=${upstream}`],
    );
    // A draft is nothing to a customer, also where a channel maps it.
    for (const { json } of await all()) expect(json.error.code).toBe("model_not_found");
    await commands.relay("channel test --id", channel.id, "--model", file.id, "--real");
    await commands.json("model offer --id", file.id);
    const offered = Date.now();
    const isListed = async (address: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${address}/v1/models/${file.id}`, { headers })).status;
    };
    for (const address of addresses)
      await expect.poll(() => isListed(address), { timeout: WITHIN_MS }).toBe(200);
    expect(Date.now() - offered).toBeLessThan(WITHIN_MS);
    for (const { status, headers } of await all())
      expect([status, headers.get("x-relay-points")]).toEqual([200, String(points)]);
    await commands.json("model retire --id", file.id, "--replaced-by", "RelayV1");
    const codes = async () => (await all()).map(({ json }) => json.error?.code);
    const retired = ["model_retired", "model_retired"];
    await expect.poll(codes, { timeout: WITHIN_MS }).toEqual(retired);
    for (const { json } of await all()) expect(json.error.message).toMatch(/Use RelayV1 instead/);
  },
  120_000,
);
