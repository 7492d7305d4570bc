/** Image models that make several images, have sizes with names and further settings: what their upstream gets, and what is billed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { faultsOf } from "@/testing/ledger/faults-of";
import {
  delivering,
  file,
  model,
  picture,
  rates,
  refused,
  sizes,
  startSeries,
} from "@/testing/relay/image-series";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { billFor, chargeAt, sellModel } from "@/testing/relay/sold-model";
import { opened } from "@/testing/unit/opened";
import { type Script, sendJson } from "@/testing/upstream/test-upstream";

/** A multiplier at which almost every price needs rounding. */
const PPM = 873_457;
type Size = keyof typeof rates;
const plain = {
  id: "acme-plain",
  family: "image",
  spec: { sizes },
  rates: [{ unit: "image", points: 5 }],
};

let charged = 0n;
const site = await opened(openPricedRelay(PPM));
await sellModel(site.relay, file);
await sellModel(site.relay, plain);
const series = await opened(startSeries(site.relay), ({ upstream }) => upstream.close());

const generation = { endpoint: "createImage", path: "/images/generations" };
const pixelsOf = (size: Size) => {
  const named: Readonly<Record<string, string>> = file.spec.size_names;
  const [width = 0, height = 0] = (named[size] ?? size).split("x").map(Number);
  return width * height;
};
/** Micropoints of list price for so many images, all of the ordered size. */
const listOf = (size: Size, count: number): bigint =>
  BigInt(Math.round(rates[size] * 1e6)) * BigInt(count) +
  BigInt((pixelsOf(size) / 256) * 3) * BigInt(count) +
  3n;

async function billed(size: Size, body: object, count: number, missing = 0): Promise<void> {
  const prompt = missing === 0 ? "A fox" : `A fox [[missing:${missing}]]`;
  const bill = await billFor(site, { ...generation, body: { model, prompt, size, ...body } });
  const most = chargeAt(PPM, listOf(size, count));
  const due = chargeAt(PPM, listOf(size, count - missing));
  const { quoted, quotedHold, held, settled, lines } = bill;
  expect([quoted, quotedHold, held, settled]).toEqual([most, most, most, due]);
  expect(lines).toContain(`image ${size} ${count - missing} × ${rates[size]}`);
  if (missing === 0) expect(bill.quoteLines).toEqual(lines);
  charged += settled;
}

test.each<[Size, object, number, number]>([
  ["512x512", {}, 1, 0],
  ["2K", {}, 1, 0],
  ["512x512", { n: 3 }, 3, 0],
  ["1K", { n: 4 }, 4, 1],
  [
    "1024x768",
    {
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 5 },
    },
    5,
    2,
  ],
])("%s %j: %i are quoted and held, without the missing ones charged, to the micropoint", billed);

test("for random orders the bill is never above the quote and the hold, and the ledger agrees", async () => {
  const orders = fc.record({
    size: fc.constantFrom<Size>("512x512", "1024x768", "1K", "2K"),
    count: fc.integer({ min: 1, max: 6 }),
    isSequence: fc.boolean(),
    share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    watermark: fc.boolean(),
    guidance: fc.option(fc.integer({ min: 1, max: 10 })),
  });
  await fc.assert(
    fc.asyncProperty(orders, async ({ size, count, isSequence, share, watermark, guidance }) => {
      const several = isSequence
        ? {
            sequential_image_generation: "auto",
            sequential_image_generation_options: { max_images: count },
          }
        : { n: count };
      const body = {
        ...several,
        watermark,
        ...(guidance !== null && { guidance_scale: guidance }),
      };
      await billed(size, body, count, Math.floor(share * count));
    }),
    { numRuns: extent(6, 40) },
  );
  const statement = await site.page<{ closing: { charged: string } }>("showStatement");
  expect(JSON.stringify(statement)).toContain(String(Number(charged) / 1e6));
  expect(await faultsOf(site.relay.pool)).toEqual([]);
}, 120_000);

const references = Array.from({ length: 14 }, (_, at) => `https://a.example/${at}.png`);
const settings = {
  size: "2K",
  image: references,
  output_format: "jpeg",
  watermark: true,
  guidance_scale: 2.5,
  optimize_prompt_options: { mode: "fast" },
  seed: 7,
};

test.each([
  [
    "ark",
    { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: 2 } },
    { response_format: "url" },
  ],
  ["openai", { n: 2 }, {}],
] as const)(
  "an upstream that speaks %s gets every setting as it was ordered, with the number of images",
  async (protocol, several, own) => {
    const answer = await series.scripted(delivering(picture, picture), protocol, () =>
      series.order({ ...settings, ...several }),
    );
    expect([answer.status, answer.json.usage]).toEqual([
      200,
      { generated_images: 2, output_tokens: 2048, total_tokens: 2048 },
    ]);
    expect(series.upstream.seen[0]?.body).toEqual({
      model: "their-series",
      prompt: "A fox",
      ...settings,
      ...several,
      ...own,
    });
  },
);

test("a mask goes with its images, and calls of tools are held and billed as they are reported", async () => {
  const [first, mask] = references;
  const tools = [{ type: "web_search" }];
  const script: Script = (response) =>
    sendJson(
      response,
      JSON.stringify({ data: [picture], usage: { tool_usage: { web_search: 1 } } }),
    );
  const answer = await series.scripted(script, "openai", () =>
    series.order({ image: first, mask, tools }),
  );
  expect(answer.status).toBe(200);
  expect(series.upstream.seen[0]?.body).toMatchObject({ image: first, mask, tools });
  const end = (await site.relay.ends()).at(-1);
  // The image that is edited and its mask have a rate, too.
  const due = (calls: number) => Number(listOf("512x512", 1)) + 2 * 250_000 + calls * 1_500_000;
  expect([end?.held, end?.amount]).toEqual([due(2), due(1)]);
  // The playground takes 60 a minute.
}, 300_000);

test("more images than were ordered are not answered, and not charged", async () => {
  const answer = await series.scripted(delivering(picture, picture, picture), "openai", () =>
    series.order({ n: 2 }),
  );
  expect(answer.json.usage).toMatchObject({ generated_images: 2 });
  const ends = await site.relay.ends();
  expect(ends.at(-1)?.amount).toBe(Number(listOf("512x512", 2)));
});

test("some of several images are missing: each says why, the others are got by their links, now and later", async () => {
  const answer = await series.scripted(delivering(picture, refused, picture), "ark", () =>
    series.order({ n: 3 }),
  );
  const url = expect.stringMatching(/^http:\/\/relay\.test\/v1\/media\//);
  const missing = { error: { code: "content_rejected", message: expect.any(String) } };
  const data = [{ url, size: "512x512" }, missing, { url, size: "512x512" }];
  expect(answer.json).toMatchObject({ data, usage: { generated_images: 2, output_tokens: 2048 } });
  expect(answer.text).not.toContain("secret words");
  const id = answer.headers.get("x-request-id");
  const later = await site.relay.send(`/v1/images/generations/${id}`);
  expect(later.json).toMatchObject({ status: "succeeded", data: answer.json.data });
  const none = await series.scripted(delivering(refused, refused), "ark", () =>
    series.order({ n: 2 }),
  );
  expect([none.status, none.json.error?.code]).toEqual([502, "content_rejected"]);
  expect((await site.relay.ends()).at(-1)).toMatchObject({ outcome: "released", amount: 0 });
});

test("several images that nobody waits for are one task", async () => {
  const images = await series.scripted(delivering(picture, refused, picture), "ark", async () => {
    const { id } = (await series.order({ n: 3, async: true })).json;
    await expect
      .poll(
        async () => (await site.relay.send(`/v1/images/generations/${String(id)}`)).json.status,
        { timeout: 20_000 },
      )
      .toBe("succeeded");
    return (await site.relay.send(`/v1/images/generations/${String(id)}`)).json;
  });
  expect(images.data).toMatchObject([
    { size: "512x512" },
    { error: { code: "content_rejected" } },
    { size: "512x512" },
  ]);
  expect(images.usage).toMatchObject({ generated_images: 2 });
});

test.each<[string, object, string, string]>([
  ["n", { n: 16 }, "n_not_supported", "n"],
  [
    "a sequence",
    { sequential_image_generation: "auto" },
    "unsupported_value",
    "sequential_image_generation",
  ],
  ["a size with a name", { size: "2K" }, "invalid_value", "size"],
  ["a format", { output_format: "jpeg" }, "unsupported_value", "output_format"],
  ["a watermark", { watermark: true }, "unsupported_value", "watermark"],
  ["guidance", { guidance_scale: 2 }, "unsupported_value", "guidance_scale"],
  [
    "a prompt mode",
    { optimize_prompt_options: { mode: "fast" } },
    "unsupported_value",
    "optimize_prompt_options.mode",
  ],
  ["n of two", { n: 2 }, "n_not_supported", "n"],
  ["a mask", { mask: references[0] }, "unsupported_value", "mask"],
  ["a tool", { tools: [{ type: "web_search" }] }, "unsupported_value", "tools"],
  [
    "a picture before the end",
    { stream: true, partial_images: 1 },
    "unsupported_value",
    "partial_images",
  ],
])(
  "%s is refused by name where the model does not have it, and costs nothing",
  async (_, body, code, param) => {
    const known = (await site.relay.ends()).length;
    const answer = await series.order({ model: plain.id, ...body });
    expect([answer.status, answer.json.error]).toMatchObject([400, { code, param }]);
    expect((await site.relay.ends()).length).toBe(known);
  },
);

test.each<[object, string]>([
  [{ guidance_scale: 11 }, "guidance_scale"],
  [{ output_format: "webp" }, "output_format"],
  [{ size: "4K" }, "size"],
  [{ size: "2K", ratio: "4:3" }, "size"],
  [{ n: 2, sequential_image_generation: "auto" }, "n"],
  [
    { sequential_image_generation_options: { max_images: 3 } },
    "sequential_image_generation_options.max_images",
  ],
  [{ image: [...references, "https://a.example/15.png"] }, "image"],
  [{ mask: references[0] }, "mask"],
  [{ tools: [{ type: "code" }] }, "tools.type"],
  [{ partial_images: 2 }, "partial_images"],
])("%j is outside of what the model allows", async (body, param) => {
  const answer = await series.order(body);
  expect([answer.status, answer.json.error]).toMatchObject([400, { param }]);
});
