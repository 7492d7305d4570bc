/**
 * Images as API clients get them: the unmodified `openai` package from npm, the running server, the
 * sandbox, and a relay behind a relay.
 */
import OpenAI from "openai";
import { afterAll, expect, test } from "vitest";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { sniff } from "@/lib/media/sniff";
import type { Channel } from "@/lib/upstream/provider";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import type { Listening } from "@/testing/stage/listen";
import { serveFind } from "@/testing/stage/serve-find";

interface Running {
  readonly relay: TestRelay;
  readonly web: Listening;
  readonly origin: string;
}

async function run(channels: (origin: string) => readonly Channel[]): Promise<Running> {
  let find: TestRelay["find"] = () => undefined;
  const web = await serveFind((method, path) => find(method, path));
  const origin = web.origin;
  const relay = await openTestRelay({ channels: channels(origin), publicUrl: origin });
  find = relay.find;
  return { relay, web, origin };
}

const sandbox = await startQuickSandbox();
const inner = await run(() => [sandbox.channel]);
const asUpstream: Channel = {
  ...sandbox.channel,
  id: "ch_inner",
  protocol: "relay",
  baseUrl: `${inner.origin}/v1`,
  apiKey: "good",
  models: Object.fromEntries(models.map(({ id, alias }) => [id, alias])),
};
const outer = await run(() => [asUpstream]);
afterAll(async () => {
  for (const { relay, web } of [outer, inner]) {
    await web.close();
    await relay.close();
  }
  await sandbox.close();
});

const client = ({ origin }: Running) =>
  new OpenAI({ apiKey: "good", maxRetries: 0, baseURL: `${origin}/v1` });
const order = { model: "super-relay-img", prompt: "A red fox in snow" };

test.each([
  ["one relay", () => inner],
  ["a relay whose upstream is a relay", () => outer],
])(
  "through %s an image arrives as a working link, with the ordered size, charged once",
  async (_, which) => {
    const running = which();
    const before = (await running.relay.ends()).length;
    const answer = await client(running).images.generate({
      ...order,
      size: "1024x768" as "auto",
      n: 1,
    });
    const url = answer.data?.[0]?.url as string;
    expect(url.startsWith(`${running.origin}/v1/media/media_`)).toBe(true);
    const file = await fetch(url);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([file.status, sniff(bytes)]).toMatchObject([
      200,
      { contentType: file.headers.get("content-type"), size: { width: 1024, height: 768 } },
    ]);
    const ends = (await running.relay.ends()).slice(before);
    expect(ends).toMatchObject([{ outcome: "settled", output: 3072, losses: [] }]);
    expect(ends[0]?.amount).toBe(ends[0]?.held);
  },
);

test("base64 returns the image itself, and two images are refused before anything is spent", async () => {
  const answer = await client(inner).images.generate({
    ...order,
    size: "512x512",
    response_format: "b64_json",
  });
  expect(sniff(Buffer.from(answer.data?.[0]?.b64_json as string, "base64"))).toMatchObject({
    size: { width: 512, height: 512 },
  });
  const { seen } = sandbox.requestLog;
  await expect(client(inner).images.generate({ ...order, n: 2 })).rejects.toMatchObject({
    status: 400,
    code: "n_not_supported",
  });
  expect(sandbox.requestLog.seen).toBe(seen);
});
