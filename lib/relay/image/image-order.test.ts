/** Tests what an image order may ask for, and what is refused before anything is held. */
import { expect, test } from "vitest";
import {
  address,
  itemOf,
  model,
  pointsOf,
  sendImage,
  startImageUpstream,
} from "@/testing/relay/images";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { imageTokens } from "../../catalog/image-sizes";

const upstream = await opened(startImageUpstream());
const relay = await opened(openTestRelay({ channels: [upstream.channel()], points: "100000" }));
const send = (body: object) => sendImage(relay, body);

test.each([
  ...Object.entries(model.ratioSizes).map(([ratio, size]) => [{ ratio }, size] as const),
  ...["512x512", "4096x4096", "1024x768", "513x777"].map((size) => [{ size }, size] as const),
])("%j is generated and charged as %s, exactly the hold", async (body, size) => {
  const answer = await send(body);
  const [width, height] = size.split("x").map(Number) as [number, number];
  expect([answer.status, itemOf(answer).size]).toEqual([200, size]);
  const end = (await relay.ends()).at(-1);
  expect(end).toMatchObject({
    outcome: "settled",
    output: imageTokens(width, height),
    amount: end?.held,
  });
  expect(end?.amount).toBe(pointsOf(Math.round((width * height) / 256)) * 1e6);
});

test.each([
  [{ size: "2048x2048", ratio: "1:1" }],
  [{ size: "1024x1024", ratio: "1:1" }],
  [{ size: "1280x720", ratio: "16:9" }],
  [{ size: "1365x768", ratio: "16:9" }],
])("a size and a ratio that agree are accepted together: %j", async (body) => {
  const answer = await send(body);
  expect([answer.status, itemOf(answer).size]).toEqual([200, body.size]);
});

test.each<[object, string]>([
  [{ size: "auto" }, "2048x2048"],
  [{ size: "auto", ratio: "9:16" }, "1440x2560"],
  ...["auto", "standard", "hd", "low", "medium", "high"].map(
    (quality) => [{ quality, size: "512x512" }, "512x512"] as [object, string],
  ),
])(
  "fields that today's image clients send are accepted with their meaning here, and only pixels are charged: %j",
  async (body, size) => {
    const answer = await send(body);
    expect([answer.status, itemOf(answer).size]).toEqual([200, size]);
    expect((await relay.ends()).at(-1)?.output).toBe(
      answer.json.usage && (answer.json.usage as { output_tokens: number }).output_tokens,
    );
  },
);

test.each<[string, object, string, string]>([
  ["n of two", { n: 2 }, "n_not_supported", "n"],
  ["n of zero", { n: 0 }, "n_not_supported", "n"],
  ["n as text", { n: "1" }, "n_not_supported", "n"],
  [
    "a size and a ratio that disagree",
    { size: "2048x2048", ratio: "16:9" },
    "unsupported_value",
    "size",
  ],
  ["a small side", { size: "511x1024" }, "unsupported_value", "size"],
  ["a long side", { size: "1024x4097" }, "unsupported_value", "size"],
  ["a size in words", { size: "2K" }, "invalid_value", "size"],
  ["a size with a sign", { size: "-1024x1024" }, "invalid_value", "size"],
  ["a ratio that is not in the table", { ratio: "5:4" }, "unsupported_value", "ratio"],
  ["a ratio of the language", { ratio: "constructor" }, "unsupported_value", "ratio"],
  ["no images in a list", { image: [] }, "unsupported_value", "image"],
  ["five images", { image: Array(5).fill(address) }, "unsupported_value", "image"],
  ["a file as image", { image: "file:///etc/passwd" }, "invalid_value", "image"],
  ["a page as image", { image: ["data:text/html;base64,PGI+"] }, "invalid_value", "image[0]"],
  ["a number as image", { image: 5 }, "invalid_value", "image"],
  ["another form of answer", { response_format: "base64" }, "invalid_value", "response_format"],
  ["a watermark", { watermark: true }, "unsupported_value", "watermark"],
  [
    "a series",
    { sequential_image_generation: "auto" },
    "unsupported_value",
    "sequential_image_generation",
  ],
  ["an empty prompt", { prompt: "" }, "invalid_value", "prompt"],
  ["a long prompt", { prompt: "x".repeat(20_001) }, "invalid_value", "prompt"],
  ["no prompt", { prompt: undefined }, "missing_required_parameter", "prompt"],
  ["a chat model", { model: "relay-v1" }, "unsupported_value", "model"],
])(
  "%s is refused with 400 and the field's name, and nothing is sent or held",
  async (_, body, code, param) => {
    const known = [upstream.seen.length, (await relay.ends()).length];
    const answer = await send(body);
    expect([answer.status, answer.json.error?.code, answer.json.error?.param]).toEqual([
      400,
      code,
      param,
    ]);
    expect([upstream.seen.length, (await relay.ends()).length]).toEqual(known);
    expect((await relay.balance()).held).toBe(0n);
  },
);
