/**
 * Tests `POST /v1/images/generations` end to end: real ledger, real files, scripted upstreams over
 * HTTP.
 */
import { afterEach, expect, test } from "vitest";
import { jpegOf, pngOf } from "@/testing/media/files";
import {
  address,
  delivering,
  itemOf,
  model,
  pointsOf,
  sendImage,
  startImageUpstream,
} from "@/testing/relay/images";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { type Script, sendJson, type TestUpstream } from "@/testing/upstream/test-upstream";

const start = 1000;

let relay: TestRelay;
const upstreams: TestUpstream[] = [];
afterEach(async () => {
  await relay?.close();
  for (const upstream of upstreams.splice(0)) await upstream.close();
});

async function upstreamOf(...given: Parameters<typeof startImageUpstream>): Promise<TestUpstream> {
  const upstream = await startImageUpstream(...given);
  upstreams.push(upstream);
  return upstream;
}

async function open(script?: Script, options: { points?: string } = {}): Promise<TestUpstream> {
  const upstream = await upstreamOf(script);
  relay = await openTestRelay({ channels: [upstream.channel()], ...options });
  return upstream;
}
const send = (body?: object) => sendImage(relay, body);
const available = async () => Number((await relay.balance()).available) / 1e6;

test("an image is delivered by our own link, charged by its pixels, and the answer says so", async () => {
  const upstream = await open();
  const answer = await send();
  const tokens = 16_384;
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    model: "super-relay-img",
    usage: { generated_images: 1, output_tokens: tokens },
  });
  expect(answer.headers.get("x-relay-points")).toBe(String(pointsOf(tokens)));
  expect(itemOf(answer).size).toBe("2048x2048");
  const link = new URL(itemOf(answer).url as string);
  expect(link.origin).toBe("http://relay.test");
  const file = await relay.fetch(link.pathname + link.search, { headers: { authorization: "" } });
  expect(Buffer.from(await file.arrayBuffer()).equals(pngOf(2048, 2048))).toBe(true);
  const seconds = Number(link.searchParams.get("expires")) - Date.now() / 1000;
  expect(Math.abs(seconds - 86_400)).toBeLessThan(30);
  expect(await available()).toBeCloseTo(start - pointsOf(tokens), 6);
  expect(await relay.ends()).toMatchObject([
    { outcome: "settled", output: tokens, losses: [], reason: null },
  ]);
  expect(upstream.seen[0]?.body).toMatchObject({
    prompt: "A fox",
    size: "2048x2048",
    watermark: false,
  });
});

test("neutral values of known fields are accepted, unknown fields are named, and neither reaches the upstream", async () => {
  const upstream = await open();
  const neutral = {
    n: 1,
    watermark: false,
    stream: false,
    sequential_image_generation: "disabled",
    quality: "auto",
    size: null,
    ratio: null,
    image: null,
  };
  const answer = await send({ ...neutral, user: "u", "x y": 1 });
  expect([answer.status, answer.headers.get("x-relay-ignored-fields")]).toEqual([200, "user"]);
  expect(Object.keys(upstream.seen[0]?.body ?? {}).sort()).toEqual(
    [
      "model",
      "prompt",
      "response_format",
      "sequential_image_generation",
      "size",
      "watermark",
    ].sort(),
  );
});

test("one reference and four references go upstream unchanged", async () => {
  const upstream = await open();
  await send({ image: address });
  await send({ image: Array(4).fill(address) });
  expect(
    upstream.seen.filter(({ path }) => !path.startsWith("/results")).map(({ body }) => body.image),
  ).toEqual([address, Array(4).fill(address)]);
});

test("b64_json returns the stored bytes", async () => {
  await open(delivering((width, height) => jpegOf(width, height, 150_000)));
  const answer = await send({ response_format: "b64_json" });
  expect(itemOf(answer).url).toBe(undefined);
  expect(
    Buffer.from(itemOf(answer).b64_json as string, "base64").equals(jpegOf(2048, 2048, 150_000)),
  ).toBe(true);
});

test("an OpenAI-compatible upstream that answers with bytes also gives a link", async () => {
  const b64_json = pngOf(2048, 2048).toString("base64");
  const upstream = await upstreamOf(
    (response) => sendJson(response, JSON.stringify({ created: 1, data: [{ b64_json }] })),
    {
      protocol: "openai",
    },
  );
  relay = await openTestRelay({ channels: [upstream.channel()] });
  expect(itemOf(await send()).url).toMatch(/^http:\/\/relay\.test\/v1\/media\/media_\w{26}\.png\?/);
});

test("a smaller image than ordered is charged by its own pixels", async () => {
  await open(delivering(() => pngOf(1024, 1024)));
  const answer = await send();
  expect(answer.json.usage).toMatchObject({ output_tokens: 4096 });
  expect(await relay.ends()).toMatchObject([
    { outcome: "settled", output: 4096, amount: pointsOf(4096) * 1e6, losses: [] },
  ]);
});

test("a larger image than ordered never costs more than the hold; the rest is our loss, with an alarm", async () => {
  await open(delivering(() => pngOf(4096, 4096)));
  const answer = await send({ size: "1024x1024" });
  expect([answer.status, answer.headers.get("x-relay-points")]).toEqual([
    200,
    String(pointsOf(4096)),
  ]);
  expect(await relay.ends()).toMatchObject([
    { outcome: "settled", amount: pointsOf(4096) * 1e6, losses: ["usage_over_hold"] },
  ]);
  expect(relay.alarms).toMatchObject([{ alarm: "usage_over_hold" }]);
});

const failing: [string, Script, number, string, string[]][] = [
  [
    "an error inside a 200",
    (response) =>
      sendJson(response, JSON.stringify({ data: [{ error: { code: "InternalServiceError" } }] })),
    502,
    "upstream_failed",
    [],
  ],
  [
    "rejected content",
    (response) =>
      sendJson(
        response,
        JSON.stringify({ data: [{ error: { code: "OutputImageSensitiveContentDetected" } }] }),
      ),
    502,
    "content_rejected",
    [],
  ],
  [
    "an answer without an image",
    (response) => sendJson(response, "{}"),
    502,
    "upstream_bad_response",
    ["usage_missing"],
  ],
  [
    "a page in place of the image",
    delivering(() => Buffer.from("<!doctype html>".repeat(10))),
    502,
    "upstream_bad_response",
    ["usage_missing"],
  ],
  [
    "an image at an address inside",
    (response) =>
      sendJson(response, JSON.stringify({ data: [{ url: "http://169.254.169.254/1.png" }] })),
    502,
    "upstream_bad_response",
    ["usage_missing"],
  ],
];
test.each(failing)("%s costs nothing", async (_, script, status, code, losses) => {
  await open(script);
  const answer = await send();
  expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
  expect(await relay.ends()).toMatchObject([{ outcome: "released", amount: 0, losses }]);
  expect(await available()).toBe(start);
});

test("a channel that certainly did nothing is followed by another, and the image is charged once", async () => {
  const first = await upstreamOf(
    (response) => sendJson(response, '{"error":{"code":"AccountOverdueError"}}', 403),
    { priority: 1 },
  );
  const second = await upstreamOf(delivering());
  relay = await openTestRelay({ channels: [first.channel(), second.channel()] });
  expect((await send()).status).toBe(200);
  expect(first.seen).toHaveLength(1);
  expect(await relay.ends()).toMatchObject([{ outcome: "settled" }]);
});

test("an account that cannot pay for the requested size gets 402, and nothing is sent", async () => {
  const upstream = await open(delivering(), { points: "13" });
  expect((await send()).status).toBe(402);
  expect(upstream.seen).toEqual([]);
  expect((await send({ size: "1024x1024" })).status).toBe(200);
});

test("a client that disconnects is charged, and its image is stored", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const deliver = delivering();
  const upstream = await open(async (response, request, count) => {
    if (!request.path.startsWith("/results/")) await held;
    await deliver(response, request, count);
  });
  const leaving = new AbortController();
  const answered = relay.fetch("/v1/images/generations", {
    body: JSON.stringify({ model: model.id, prompt: "A fox" }),
    signal: leaving.signal,
  });
  while (upstream.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort();
  letGo();
  await answered.catch(() => {});
  expect(await relay.ends()).toMatchObject([{ outcome: "settled", isAbandoned: true }]);
  expect(upstream.seen.map(({ path }) => path)).toContain("/results/1.png");
});
