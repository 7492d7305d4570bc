/** Images that are taken apart into layers, GIFs of several frames, and drawings over an image: held at the most, charged as they come. */
import { expect, test } from "vitest";
import { gifOf } from "@/testing/media/files";
import { delivering, file, picture, rates, startSeries } from "@/testing/relay/image-series";
import { sellModel } from "@/testing/relay/sold-model";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";

const relay = await opened(openTestRelay({ channels: [], points: "100000" }));
await sellModel(relay, file);
const plain = { spec: { sizes: ["512x512"] }, rates: [{ unit: "image", points: 5 }] };
await sellModel(relay, { ...file, id: "acme-plain", ...plain });
const series = await opened(startSeries(relay), ({ upstream }) => upstream.close());

const address = "https://a.example/0.png";
/** What so many images of a size, with so many that they are made from, cost in micropoints. */
const due = (images: number, inputs: number, pixels = 512 * 512) =>
  Math.round(rates["512x512"] * 1e6) * images +
  Math.ceil((pixels / 256) * 3 * images) +
  inputs * 250_000 +
  3;
const lastEnd = async () => (await relay.ends()).at(-1);

const box = { absolute: [10, 20, 110, 220], normalized: [20, 40, 215, 430] };
const layers = [
  { ...picture, size: "512x512", z_index: 0, output_format: "png" },
  { ...picture, z_index: 1, bounding_box: box, name: "fox", description: "A\u0000 fox\ud800" },
  { ...picture, z_index: 2, bounding_box: { absolute: [1, 2], secret: "x" }, name: 7 },
];
const told = [
  { z_index: 0 },
  { z_index: 1, bounding_box: box, name: "fox", description: "A  fox\ufffd" },
  { z_index: 2 },
];

test.each(["ark", "openai"] as const)(
  "layers of %s are held at the most, charged as they come, and say where they are, now and later",
  async (protocol) => {
    const answer = await series.scripted(delivering(...layers), protocol, () =>
      series.order({ image: address, layer_decomposition: true }),
    );
    expect(answer.status).toBe(200);
    const data = told.map((each) => ({ ...each, size: "512x512", url: expect.any(String) }));
    expect(answer.json).toMatchObject({ data, usage: { generated_images: 3 } });
    expect(JSON.stringify(answer.json)).not.toContain("secret");
    const sent = series.upstream.seen[0]?.body ?? {};
    expect(sent).toMatchObject({ layer_decomposition: true, image: address });
    expect(sent).not.toHaveProperty("n");
    expect(await lastEnd()).toMatchObject({ held: due(17, 1), amount: due(3, 1) });
    const id = answer.headers.get("x-request-id");
    const later = await relay.send(`/v1/images/generations/${id}`);
    expect(later.json.data).toEqual(answer.json.data);
  },
);

test("layers that nobody waits for, and those of a stream, say where they are too", async () => {
  const order = { image: address, layer_decomposition: true };
  await series.scripted(delivering(...layers), "ark", async () => {
    const { id } = (await series.order({ ...order, async: true })).json;
    const read = async () => (await relay.send(`/v1/images/generations/${String(id)}`)).json;
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe("succeeded");
    expect((await read()).data).toMatchObject(told);
    expect((await lastEnd())?.amount).toBe(due(3, 1));
    const { text } = await series.order({ ...order, stream: true });
    expect(text).toContain('"bounding_box":{"absolute":[10,20,110,220]');
    expect(text).toContain('"generated_images":3');
  });
});

test.each<[string, object, string]>([
  ["an order without an image", { layer_decomposition: true }, "layer_decomposition"],
  [
    "several images",
    { layer_decomposition: true, image: [address, address] },
    "layer_decomposition",
  ],
  ["n", { layer_decomposition: true, image: address, n: 3 }, "layer_decomposition"],
  ["frames of a PNG", { output_format: "png", frame_count: 4 }, "frame_count"],
  ["their time", { frame_duration_ms: 40 }, "frame_duration_ms"],
  ["one frame", { output_format: "gif", frame_count: 1 }, "frame_count"],
  ["too many frames", { output_format: "gif", frame_count: 17 }, "frame_count"],
  ["a markup of no image", { markup: address }, "markup"],
  ["a mask and a markup", { image: address, mask: address, markup: address }, "markup"],
  ["a drawing", { svg: { model: "m" } }, "svg"],
  [
    "layers of another model",
    { model: "acme-plain", image: address, layer_decomposition: true },
    "image",
  ],
  ["a GIF of another model", { model: "acme-plain", output_format: "gif" }, "output_format"],
])("%s is refused by name, and costs nothing", async (_, body, param) => {
  const known = (await relay.ends()).length;
  const answer = await series.order(body);
  expect([answer.status, answer.json.error]).toMatchObject([400, { param }]);
  expect((await relay.ends()).length).toBe(known);
});

const moving = { b64_json: gifOf(512, 512).toString("base64") };

test.each([
  [{}, 9, {}],
  [{ frame_count: 4, frame_duration_ms: 120 }, 4, { frame_duration_ms: 120 }],
])("each frame of a GIF is held and charged as an image: %j", async (asked, frames, sent) => {
  const order = { output_format: "gif", n: 2, ...asked };
  const answer = await series.scripted(delivering(moving, moving), "openai", () =>
    series.order(order),
  );
  expect([answer.status, answer.json.usage]).toEqual([
    200,
    { generated_images: 2, output_tokens: 2 * frames * 1024, total_tokens: 2 * frames * 1024 },
  ]);
  expect(series.upstream.seen[0]?.body).toMatchObject({
    ...{ output_format: "gif", frame_count: frames, n: 2 },
    ...sent,
  });
  const amount = due(2 * frames, 0);
  expect(await lastEnd()).toMatchObject({ held: amount, amount });
  const quote = await relay.send("/v1/quote", {
    body: JSON.stringify({ endpoint: "createImage", model: file.id, prompt: "A fox", ...order }),
  });
  expect(quote.json).toMatchObject({ hold_points: amount / 1e6, estimate_points: amount / 1e6 });
  const [first] = answer.json.data as { url: string }[];
  const got = await relay.send(
    new URL(first?.url ?? "").pathname + new URL(first?.url ?? "").search,
  );
  expect(got.headers.get("content-type")).toBe("image/gif");
  const later = await relay.send(`/v1/images/generations/${answer.headers.get("x-request-id")}`);
  expect(later.json.usage).toEqual(answer.json.usage);
});

test("a picture that came instead of a GIF is charged as one image", async () => {
  const answer = await series.scripted(delivering(picture), "openai", () =>
    series.order({ output_format: "gif" }),
  );
  expect(answer.json.usage).toMatchObject({ output_tokens: 1024 });
  expect(await lastEnd()).toMatchObject({ held: due(9, 0), amount: due(1, 0) });
});

test("a drawing over the first image goes upstream under its name, and counts as one it is made from", async () => {
  const other = "https://a.example/1.png";
  const answer = await series.scripted(delivering(picture), "openai", () =>
    series.order({ image: [address, other], markup: `${address}?m` }),
  );
  expect(answer.status).toBe(200);
  const { body } = series.upstream.seen[0] ?? {};
  expect(body).toMatchObject({ image: [address, other], markup: `${address}?m` });
  expect((await lastEnd())?.amount).toBe(due(1, 3));
});
