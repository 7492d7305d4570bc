/** Tests images against scripted upstreams over real HTTP, in both wire formats. */
import { afterEach, expect, test } from "vitest";
import { sendJson, startUpstream, type TestUpstream } from "@/testing/upstream/test-upstream";
import { withoutSaid } from "@/testing/upstream/without-said";
import type { ImageOrder } from "../media-provider";
import type { Providers } from "../providers";
import { createProviders } from "../wiring/create-providers";

let upstream: TestUpstream;
let providers: Providers;
afterEach(async () => {
  await providers.close();
  await upstream.close();
});

const order: ImageOrder = {
  model: "Super-Relay-Image",
  prompt: "A fox",
  size: "2048x1024",
  imageUrls: [],
  seed: null,
};

async function generate(
  answer: string,
  protocol: "ark" | "openai" | "relay",
  extra: Partial<ImageOrder> = {},
) {
  upstream = await startUpstream((response) => sendJson(response, answer));
  providers = createProviders();
  const models = { "Super-Relay-Image": "their-image" };
  return providers.image.generate(upstream.channel({ protocol, models }), { ...order, ...extra });
}
const one = (item: object, extra: object = {}) =>
  JSON.stringify({ model: "m", created: 1, data: [item], ...extra });

test.each(["ark", "relay"] as const)(
  "a %s channel is always told to omit watermarks and series",
  async (protocol) => {
    const answer = one(
      { url: "https://a.example/1.png", size: "2048x1024" },
      { usage: { generated_images: 1, output_tokens: 8192 } },
    );
    const result = await generate(answer, protocol);
    expect(result).toMatchObject({
      isOk: true,
      images: [{ url: "https://a.example/1.png" }],
      outputTokens: 8192,
    });
    const fixed = {
      response_format: "url",
      watermark: false,
      sequential_image_generation: "disabled",
    };
    expect(upstream.seen[0]).toMatchObject({
      path: "/v1/images/generations",
      headers: { authorization: "Bearer upstream-secret" },
    });
    expect(upstream.seen[0]?.body).toEqual({
      model: "their-image",
      prompt: "A fox",
      size: "2048x1024",
      ...fixed,
    });
  },
);

test.each(["ark", "openai", "relay"] as const)(
  "a %s channel is told the quality, where the model has one",
  async (protocol) => {
    await generate(one({ url: "https://a.example/1.png" }), protocol, { quality: "high" });
    expect(upstream.seen[0]?.body).toMatchObject({ quality: "high", size: "2048x1024" });
    await Promise.all([providers.close(), upstream.close()]);
    await generate(one({ url: "https://a.example/1.png" }), protocol, { quality: null });
    expect(upstream.seen[0]?.body).not.toHaveProperty("quality");
  },
);

test("one reference is sent as text, several as a list, and a seed only when set", async () => {
  await generate(one({ url: "https://a.example/1.png" }), "ark", {
    imageUrls: ["https://a.example/r.png"],
    seed: 3,
  });
  expect(upstream.seen[0]?.body).toMatchObject({ image: "https://a.example/r.png", seed: 3 });
  await providers.image.generate(upstream.channel({ protocol: "ark" }), {
    ...order,
    imageUrls: ["https://a.example/1", "https://a.example/2"],
  });
  expect(upstream.seen[1]?.body).toMatchObject({
    image: ["https://a.example/1", "https://a.example/2"],
  });
});

test("an OpenAI-compatible channel gets one image order with the fields it knows, and may answer with bytes", async () => {
  const result = await generate(
    one({ b64_json: Buffer.from("picture").toString("base64") }),
    "openai",
  );
  const [image] = result.isOk ? result.images : [];
  expect(image && "bytes" in image && Buffer.concat(image.bytes).toString()).toBe("picture");
  expect(upstream.seen[0]?.body).toEqual({
    model: "their-image",
    prompt: "A fox",
    size: "2048x1024",
    n: 1,
  });
});

test.each([
  [
    { code: "OutputImageSensitiveContentDetected", message: "secret text" },
    "content_rejected",
    false,
  ],
  [{ code: "InternalServiceError", message: "secret text" }, "upstream_failed", false],
  [{ code: "AccountOverdueError", message: "secret text" }, "no_channel_available", true],
])(
  "an item that is the error %j inside a 200 is a failure (%s)",
  async (error, code, isOperatorFault) => {
    const result = await generate(one({ error }), "ark");
    expect(result).toMatchObject({ isOk: false, failure: { code, isOperatorFault } });
    expect(withoutSaid(result)).not.toContain("secret text");
  },
);

test.each([
  "{}",
  '{"data":[]}',
  one({}),
  one({ url: "/relative.png" }),
  one({ url: "data:image/png;base64,AA==" }),
  "not json",
  "",
])("%s is a bad answer that may have cost", async (answer) => {
  const expected = { code: "upstream_bad_response", mayHaveCost: true };
  expect(await generate(answer, "ark")).toMatchObject({ isOk: false, failure: expected });
});

test.each([[-1], [1.5], ["4096"], [1e15], [null]])(
  "the count %j is not accepted as tokens",
  async (output_tokens) => {
    const answer = one({ url: "https://a.example/1.png" }, { usage: { output_tokens } });
    expect(await generate(answer, "ark")).toMatchObject({ isOk: true, outputTokens: null });
  },
);

const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const succeeded = (at: number, item: object) =>
  event("image_generation.partial_succeeded", { image_index: at, ...item });
const big = Buffer.alloc(200_000, 7);

/** Answers with the pieces, then ends or breaks off; says which images came before the result. */
async function streamed(pieces: readonly string[], isBroken = false, count = 3) {
  upstream = await startUpstream((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    if (isBroken) setTimeout(() => response.destroy(), 50);
    else response.end();
  });
  providers = createProviders();
  const come: unknown[] = [];
  const onImage = (image: unknown) => come.push(image);
  const asked = { ...order, count, onImage };
  const result = await providers.image.generate(upstream.channel({ protocol: "ark" }), asked);
  return { result, come };
}

test("several images are asked for as a stream, and given as they come", async () => {
  const stream = [
    ": hello\n\n",
    succeeded(0, { url: "https://a.example/1.png" }),
    succeeded(1, { b64_json: big.toString("base64") }),
    event("image_generation.partial_failed", {
      image_index: 2,
      error: { code: "OutputImageSensitiveContentDetected", message: "no" },
    }),
    event("image_generation.completed", { usage: { generated_images: 2, output_tokens: 8 } }),
    "data: [DONE]\n\n",
  ].join("");
  // Cut anywhere.
  const pieces = Array.from({ length: Math.ceil(stream.length / 9973) }, (_, at) =>
    stream.slice(at * 9973, (at + 1) * 9973),
  );
  const { result, come } = await streamed(pieces);
  expect(upstream.seen[0]?.body).toMatchObject({ stream: true });
  expect(result).toMatchObject({ isOk: true, outputTokens: 8, images: come });
  expect(come).toMatchObject([
    { url: "https://a.example/1.png" },
    { bytes: expect.any(Array) },
    { failure: { code: "content_rejected" } },
  ]);
  const [, second] = result.isOk ? result.images : [];
  expect(second && "bytes" in second && Buffer.concat(second.bytes).equals(big)).toBe(true);
});

test("what came of a stream that breaks off, or ends in an error, is made; the rest is missing", async () => {
  const first = succeeded(0, { url: "https://a.example/1.png" });
  const broken = await streamed([first], true);
  expect(broken.result).toMatchObject({
    isOk: true,
    images: [{ url: "https://a.example/1.png" }, { failure: { code: "upstream_failed" } }],
  });
  await Promise.all([providers.close(), upstream.close()]);
  const error = { error: { code: "InternalServiceError", message: "no" } };
  const failed = await streamed([first, event("error", error)]);
  expect(failed.result).toMatchObject({ isOk: true, images: [{}, { failure: {} }] });
});

test("a stream without an image fails as a whole answer does", async () => {
  const error = { error: { code: "AccountOverdueError", message: "no" } };
  const { result, come } = await streamed([event("error", error)]);
  expect(result).toMatchObject({ isOk: false, failure: { code: "no_channel_available" } });
  expect(come).toEqual([]);
});

test("a stream in the words of the Images API has its image in the event of its end", async () => {
  const end = { b64_json: big.toString("base64"), usage: { output_tokens: 5 } };
  const { result } = await streamed([
    event("image_generation.partial_image", { b64_json: "AAAA", partial_image_index: 0 }),
    event("image_generation.completed", end),
  ]);
  expect(result).toMatchObject({ isOk: true, outputTokens: 5, images: [{}] });
});
