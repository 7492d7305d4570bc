/** Rows of an earlier release as this one reads them, and rows of this one as an earlier one does. */
import { expect, test } from "vitest";
import { sendImage } from "@/testing/relay/images";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import { type Catalogue, catalogue, findModel, replaceCatalogue } from "../catalog/models";
import { modelSpecs } from "../contract/model-file";
import { rateGaps } from "../model-file/rate-gaps";
import { readPrices } from "../price-book/price-book";
import { addPriceVersion } from "../price-book/set-price";
import { priceOfRates, type Rate } from "../pricing/rate";
import { readCatalogue } from "./read-models";

const _before: Catalogue = catalogue();
const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel], points: "1000" }));

/** As an earlier release wrote them: its schema allows no other members. */
const earlierImage = {
  side_pixels_min: 512,
  side_pixels_max: 4096,
  pixels_max: 16_777_216,
  reference_images_max: 0,
  size_default: "1024x1024",
  sizes: {},
};
const earlierVideo = {
  durations: { min: 2, max: 9, default: 2 },
  resolutions: ["480p"],
  resolution_default: "480p",
  ratios: ["16:9"],
  ratio_default: "16:9",
  reference_images_max: 0,
  audio: false,
  pixels: "second",
};

test("a model without qualities, listed sizes and last frame is stored as an earlier release stored it", () => {
  expect(modelSpecs.image.parse({ size_default: "1024x1024" })).toStrictEqual(earlierImage);
  const { durations, resolutions, ratios } = earlierVideo;
  const given = { durations, resolutions, ratios, last_frame: false };
  expect(modelSpecs.video.parse(given)).toStrictEqual(earlierVideo);
});

test("the sizes of a stored list can grow, since the row has no bounds that it did not get", () => {
  const spec = modelSpecs.image.parse({ sizes: ["512x512"], qualities: ["a", "b"] });
  const qualities = { qualities: ["a", "b"], quality_default: "a" };
  const list = { sizes: ["512x512"], size_default: "512x512", reference_images_max: 0 };
  expect(spec).toStrictEqual({ ...list, ...qualities });
  const grown = { ...spec, sizes: ["512x512", "2048x1024"] };
  expect(modelSpecs.image.parse(grown)).toStrictEqual(grown);
  expect(() => modelSpecs.image.parse({ ...grown, side_pixels_max: 512 })).toThrow(/outside/);
});

async function addRow(id: string, family: string, spec: object): Promise<void> {
  await relay.pool.query("insert into model (id, family, created_by) values ($1, $2, 'test')", [
    id,
    family,
  ]);
  await relay.pool.query(
    "insert into model_version (model_id, number, aliases, spec, created_by) values ($1, 1, '{}', $2, 'test')",
    [id, JSON.stringify(spec)],
  );
  await relay.pool.query("update model set state = 'offered' where id = $1", [id]);
}

test("a row of an earlier release has none of them; one of a later release is left out alone", async () => {
  await addRow("earlier-image", "image", earlierImage);
  await addRow("earlier-video", "video", earlierVideo);
  await addRow("later-image", "image", { ...earlierImage, colours: 3 });
  const problems: string[] = [];
  replaceCatalogue(await readCatalogue(relay.pool, (id) => problems.push(id)));
  expect(problems).toEqual(["later-image"]);
  const none = { qualities: [], qualityDefault: null, sizes: null, ratioSizes: {} };
  expect(findModel("earlier-image")).toMatchObject({ sizeDefault: "1024x1024", ...none });
  expect(findModel("earlier-video")).toMatchObject({ durations: null, hasLastFrame: false });
});

test("a model of an earlier release whose qualities stand in its rates only is sold as it was", async () => {
  const model = findModel("earlier-image");
  if (model === undefined) throw new Error("no model");
  const rates: Rate[] = [
    { unit: "image", quality: "standard", amount: 8_000_000n },
    { unit: "image", quality: "hd", amount: 20_000_000n },
  ];
  expect(rateGaps(model, rates)).toEqual([]);
  expect(rateGaps(model, rates.slice(1))).toEqual(["image size=1024x1024 quality=standard"]);
  const price = priceOfRates(rates);
  const version = { model: model.id, price, effectiveAt: null, createdBy: "test" };
  await addPriceVersion(relay.pool, version);
  for (const each of await readPrices(relay.pool)) relay.setting.versions.set(each.model, each);
  // The sandbox knows the model under its own catalogue, in which it has no qualities.
  relay.setting.channels = [{ ...sandbox.channel, models: { [model.id]: "another" } }];
  const order = async (quality?: string) => {
    const { status, headers, json } = await sendImage(relay, { model: model.id, quality });
    return [status, headers.get("x-relay-points"), json.error?.code];
  };
  expect(await order()).toEqual([200, "8", undefined]);
  expect(await order("auto")).toEqual([200, "8", undefined]);
  expect(await order("hd")).toEqual([200, "20", undefined]);
  expect(await order("low")).toEqual([503, null, "price_missing"]);
  expect(await order("ultra")).toEqual([400, null, "unsupported_value"]);
});
