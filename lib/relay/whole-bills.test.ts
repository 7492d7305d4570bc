/** Random orders of texts and images over all fields, at random rates: what is quoted, held, charged and shown. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { faultsOf } from "@/testing/ledger/faults-of";
import { pngOf } from "@/testing/media/files";
import { file as wholeImage } from "@/testing/relay/image-series";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { billFor, sellModel } from "@/testing/relay/sold-model";
import { wholeText } from "@/testing/relay/whole-text";
import { opened } from "@/testing/unit/opened";
import { completion, type Script, sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { timeOfDay } from "../pricing/price-at";

/** A multiplier at which almost every price needs rounding. */
const PPM = 873_457;
let script: Script = () => {};
const upstream = await opened(startUpstream((...given) => script(...given)));
const site = await opened(openPricedRelay(PPM));
let [charged, models] = [0n, 0];

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const points = fc.integer({ min: 0, max: 2_000_000_000 }).map((micro) => micro / 1e6);
const ratesFor = (length: number) => fc.array(points, { minLength: length, maxLength: length });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const plain = (value: object) => JSON.parse(JSON.stringify(value));

interface Whole {
  readonly rates: readonly object[];
}

/** A model of that file at these rates. */
async function sold(file: Whole & { readonly id: string }, amounts: readonly number[]) {
  const id = `acme-bill-${++models}`;
  const rates = file.rates.map((rate, at) => ({ ...rate, points: amounts[at] ?? 1 }));
  await sellModel(site.relay, { ...file, id, rates });
  site.relay.setting.channels = [
    upstream.channel({ protocol: "openai", models: { [id]: "theirs" } }),
  ];
  return id;
}

async function billed(endpoint: string, path: string, body: { readonly [name: string]: unknown }) {
  const bill = await billFor(site, { endpoint, path, body: plain(body) });
  const told = JSON.stringify(body);
  expect(bill.held, told).toBe(bill.quotedHold);
  expect(bill.settled <= bill.held, told).toBe(true);
  charged += bill.settled;
  return { ...bill, told };
}

async function assertStated(): Promise<void> {
  const statement = await site.page<{ closing: { charged: string } }>("showStatement");
  expect(JSON.stringify(statement)).toContain(String(Number(charged) / 1e6));
  expect(await faultsOf(site.relay.pool)).toEqual([]);
}

const sound = {
  type: "input_audio",
  input_audio: { data: Buffer.alloc(2000).toString("base64"), format: "wav" },
};
const pdf = { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0xLjQ=" } };
const text = fc.record({
  max_tokens: fc.integer({ min: 1, max: 4000 }),
  n: maybe(fc.constantFrom(1, 2, 4)),
  service_tier: maybe(fc.constantFrom("auto", "default", "flex", "priority")),
  modalities: maybe(fc.constantFrom(["text"], ["text", "audio"])),
  web_search_options: maybe(fc.constant({})),
  prediction: maybe(fc.constant({ type: "content", content: "hello" })),
  hasSound: fc.boolean(),
  hasDocument: fc.boolean(),
});
/** Hours that last while this runs, and others. */
const clock = (hours: number) => timeOfDay(Date.now() + hours * 3_600_000);
const [now, later] = [`${clock(-6)}-${clock(6)}`, `${clock(6)}-${clock(9)}`];
const variedText = {
  ...wholeText,
  rates: [
    ...wholeText.rates,
    { unit: "input_token", input_from: 30 },
    { unit: "input_token", input_from: 1000, hours: now },
    { unit: "input_token", tier: "flex", input_from: 30 },
    { unit: "input_audio_token", input_from: 20 },
    { unit: "output_token", input_from: 30 },
    { unit: "output_token", hours: now },
    { unit: "output_token", tier: "priority", hours: later },
    { unit: "audio_token", hours: later },
    { unit: "tool_call", hours: now },
  ],
};
const variedImage = {
  ...wholeImage,
  rates: [
    ...wholeImage.rates,
    { unit: "image", size: "1K", hours: now },
    { unit: "image_token", hours: now },
    { unit: "image_token", hours: later },
    { unit: "request", hours: later },
  ],
};
const texts = fc.record({
  rates: ratesFor(variedText.rates.length),
  orders: fc.array(
    fc.record({
      order: text,
      shares: fc.array(share, { minLength: 6, maxLength: 6 }),
      served: maybe(fc.constantFrom("default", "flex", "priority", "scale")),
    }),
    { minLength: 3, maxLength: 3 },
  ),
});

test("texts: quote, hold, settlement, receipt and statement say the same", async () => {
  await fc.assert(
    fc.asyncProperty(texts, async ({ rates, orders }) => {
      const model = await sold(variedText, rates);
      for (const { order, shares, served } of orders) {
        const { hasSound, hasDocument, ...fields } = order;
        const part = (at: number, of: number) => Math.floor((shares[at] ?? 0) * of);
        const [input, output] = [
          part(0, hasDocument ? 5000 : 60),
          part(1, order.max_tokens * (order.n ?? 1)),
        ];
        const [cached, thought] = [part(2, input), part(3, output)];
        script = (response) =>
          sendJson(
            response,
            completion("hi", {
              usage: {
                ...{ prompt_tokens: input, completion_tokens: output },
                prompt_tokens_details: { cached_tokens: cached, audio_tokens: part(4, 20) },
                completion_tokens_details: {
                  reasoning_tokens: thought,
                  audio_tokens: part(5, output - thought),
                },
                num_search_queries: part(4, 3),
              },
              ...(served && { service_tier: served }),
            }),
          );
        const files = [...(hasSound ? [sound] : []), ...(hasDocument ? [pdf] : [])];
        const content = [{ type: "text", text: "hello" }, ...files];
        const messages = [{ role: "user", content }];
        if (input + output === 0) continue;
        await billed("createChatCompletion", "/chat/completions", { model, messages, ...fields });
      }
    }),
    { numRuns: extent(4, 40) },
  );
  await assertStated();
}, 300_000);

const images = fc.record({
  rates: ratesFor(variedImage.rates.length),
  orders: fc.array(
    fc.record({
      size: fc.constantFrom("512x512", "1024x768", "1K", "2K"),
      n: maybe(fc.integer({ min: 1, max: 4 })),
      tools: maybe(fc.constant([{ type: "web_search" }])),
      background: maybe(fc.constant("transparent")),
      came: share,
    }),
    { minLength: 3, maxLength: 3 },
  ),
});
const picture = { b64_json: pngOf(512, 512).toString("base64") };

test("images: quote, hold, settlement, receipt and statement say the same, and no bill is above the quote", async () => {
  await fc.assert(
    fc.asyncProperty(images, async ({ rates, orders }) => {
      const model = await sold(variedImage, rates);
      for (const { came, ...fields } of orders) {
        const count = Math.max(1, Math.floor(came * (fields.n ?? 1)));
        const usage = { output_tokens: 1, tool_usage: { web_search: Math.floor(came * 2) } };
        script = (response) =>
          sendJson(
            response,
            JSON.stringify({ created: 1, data: Array(count).fill(picture), usage }),
          );
        const { settled, quoted, told } = await billed("createImage", "/images/generations", {
          ...{ model, prompt: "A fox", ...fields },
        });
        expect(settled <= quoted, told).toBe(true);
      }
    }),
    { numRuns: extent(4, 40) },
  );
  await assertStated();
}, 300_000);
