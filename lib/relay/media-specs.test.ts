/** For random models, rates and orders: what is delivered within an order never costs more than its hold. */

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  amount,
  bookOf,
  isRefused,
  ppm,
  principalAt,
  share,
  size,
  some,
  stored,
  word,
} from "@/testing/relay/random-specs";
import { imageTokens } from "../catalog/image-sizes";
import { imageRequest } from "../contract/image";
import { videoRequest } from "../contract/video";
import { validate } from "../http/validate";
import { rateGaps } from "../model-file/rate-gaps";
import { linesOf } from "../pricing/price-lines";
import { priceOfRates, type Rate } from "../pricing/rate";
import { orderImage } from "./image/image-order";
import { billOf as imageBillOf, specOf } from "./image/make-image";
import { chargeOf } from "./order/charge";
import { requestedVideoOfCall } from "./video/requested-video";
import { billOf } from "./video/video-bill";
import { orderVideo } from "./video/video-order";

const images = fc
  .record({ sizes: some(size), qualities: fc.option(some(word)), at: share, of: share })
  .chain(({ sizes, qualities, at, of }) =>
    fc.record({
      sizes: fc.constant(sizes),
      qualities: fc.constant(qualities),
      isBySize: fc.boolean(),
      amounts: fc.array(amount, { minLength: 25, maxLength: 25 }),
      perToken: fc.option(amount),
      perRequest: fc.option(amount),
      size: fc.constantFrom(...sizes),
      quality: fc.constantFrom(undefined, "auto", ...(qualities ?? [])),
      delivered: fc.constant([at, of] as const),
      missing: fc.nat(24),
      ppm,
    }),
  );

test("images of a random model: one quality in one size costs what was held, less pixels never more", () => {
  fc.assert(
    fc.property(images, (given) => {
      const { sizes, qualities, isBySize, amounts, perToken, perRequest } = given;
      const spec = { sizes, ...(qualities && { qualities }) };
      const model = stored("image", spec);
      const classes = (isBySize ? sizes : [undefined]).flatMap((each) =>
        (qualities ?? [undefined]).map((quality) => ({
          ...(each !== undefined && { size: each }),
          ...(quality !== undefined && { quality }),
        })),
      );
      const perImage: Rate[] = classes.map((selected, at) => ({
        unit: "image",
        ...selected,
        amount: amounts[at] ?? 0n,
      }));
      const others: Rate[] = [
        ...(perToken === null ? [] : [{ unit: "image_token" as const, amount: perToken }]),
        ...(perRequest === null ? [] : [{ unit: "request" as const, amount: perRequest }]),
      ];
      const rates = [...perImage, ...others];
      expect(rateGaps(model, rates)).toEqual([]);
      const body = { model: "random", prompt: "x", size: given.size, quality: given.quality };
      validate(imageRequest, body);
      const principal = principalAt(given.ppm);
      const order = orderImage(body, principal, bookOf(rates));
      const price = priceOfRates(rates);
      const billAt = (width: number, height: number) => {
        const usage = { ...order.usage, outputTokens: imageTokens(width, height) };
        return chargeOf(usage, price, given.ppm);
      };
      const full = billAt(order.width, order.height);
      expect(order.holdAmount).toBe(full === 0n ? 1n : full);
      const [across, down] = given.delivered;
      const less = billAt(Math.floor(order.width * across), Math.floor(order.height * down));
      expect(less <= order.holdAmount).toBe(true);
      // What has no rate is a gap that stops the offer, and refused if it is ordered all the same.
      const at = given.missing % perImage.length;
      const gappy = [...perImage.toSpliced(at, 1), ...others];
      const [gap] = perImage.length > 1 ? rateGaps(model, gappy) : ["only"];
      expect(gap).toBeDefined();
      if (perImage.length === 1) return;
      const { size: lost = given.size, quality } = perImage[at] ?? {};
      const lostBody = { ...body, size: lost, quality };
      expect(isRefused(() => orderImage(lostBody, principal, bookOf(gappy)))).toBe("price_missing");
    }),
  );
});

const several = fc.record({
  sizes: some(size),
  /** Whether the size is ordered by its name. */
  isNamed: fc.boolean(),
  partialImages: fc.option(fc.tuple(amount, fc.integer({ min: 0, max: 3 }))),
  toolCalls: fc.option(amount),
  shown: share,
  at: fc.nat(4),
  count: fc.integer({ min: 1, max: 15 }),
  way: fc.constantFrom("n", "sequence", "layers"),
  frames: fc.option(fc.integer({ min: 2, max: 16 })),
  amounts: fc.array(amount, { minLength: 5, maxLength: 5 }),
  perToken: fc.option(amount),
  perRequest: fc.option(amount),
  /** Of each image that came, its sides as shares of what was ordered. */
  came: fc.array(fc.tuple(share, share), { minLength: 1, maxLength: 17 }),
  isWhole: fc.boolean(),
  ppm,
});

test("several images that come in sizes of their own never cost more than quoted and held", () => {
  fc.assert(
    fc.property(several, (given) => {
      const { sizes, perToken, perRequest, way, frames, partialImages, toolCalls } = given;
      const count = way === "layers" ? 17 : given.count;
      const [size = ""] = sizes.slice(given.at % sizes.length);
      const types = ["web_search"];
      stored("image", {
        ...{ sizes, images_max: 15, size_names: { "2K": size } },
        tools: { types, calls_max: 2 },
        ...{ layers_max: 17, output_formats: ["png", "gif"], reference_images_max: 1 },
      });
      const rates: Rate[] = [
        ...[...sizes, "2K"].map((each, at) => ({
          ...{ unit: "image" as const, size: each },
          amount: given.amounts[at] ?? 7n,
        })),
        ...(partialImages === null
          ? []
          : [{ unit: "partial_image" as const, amount: partialImages[0] }]),
        ...(toolCalls === null ? [] : [{ unit: "tool_call" as const, amount: toolCalls }]),
        ...(perToken === null ? [] : [{ unit: "image_token" as const, amount: perToken }]),
        ...(perRequest === null ? [] : [{ unit: "request" as const, amount: perRequest }]),
      ];
      const ways = {
        sequence: {
          sequential_image_generation: "auto" as const,
          sequential_image_generation_options: { max_images: count },
        },
        layers: { layer_decomposition: true, image: "https://a.example/0.png" },
        n: { n: count },
      };
      const [, previews = 0] = partialImages ?? [];
      const body = {
        ...{ model: "random", prompt: "x", size: given.isNamed ? "2K" : size, ...ways[way] },
        ...(frames !== null && { output_format: "gif" as const, frame_count: frames }),
        ...(partialImages && { stream: true, partial_images: previews }),
        ...(toolCalls !== null && { tools: [{ type: "web_search" as const }] }),
      };
      validate(imageRequest, body);
      const order = orderImage(body, principalAt(given.ppm), bookOf(rates));
      const { width, height, usage } = order;
      const shares = given.isWhole ? Array(count).fill([1, 1]) : given.came.slice(0, count);
      const [first = { width, height }, ...others] = shares.map(([across, down]) => ({
        width: Math.floor(width * across),
        height: Math.floor(height * down),
      }));
      const fileOf = (of: { readonly width: number; readonly height: number }) =>
        ({
          mediaId: "m",
          file: frames === null ? "m.png" : "m.gif",
          bytes: 1,
          size: of,
          ...of,
        }) as const;
      const kept = { files: [fileOf(first), ...others.map(fileOf)] as const, items: [] };
      const of = given.isWhole ? 1 : given.shown;
      const counts = {
        ...{ outputTokens: null, reported: null, upstreamRef: null },
        partialImages: Math.floor(of * previews * count),
        toolCalls: Math.floor(of * 2),
      };
      const bill = imageBillOf(specOf(order, null), { isOk: true, images: [], ...counts }, kept);
      const price = priceOfRates(rates);
      const due = chargeOf(bill.usage, price, given.ppm);
      const quoted = chargeOf(usage, price, given.ppm);
      expect(due <= quoted && quoted <= order.holdAmount).toBe(true);
      if (!given.isWhole) return;
      expect(due).toBe(quoted);
      expect(linesOf("image", bill.usage, price)).toEqual(linesOf("image", usage, price));
    }),
  );
});

test("a quality or a size that a random model does not list is refused, whatever it is", () => {
  fc.assert(
    fc.property(some(size), some(word), size, fc.string({ maxLength: 40 }), (...given) => {
      const [sizes, qualities, otherSize, otherQuality] = given;
      stored("image", { sizes, qualities });
      const book = bookOf([{ unit: "image", amount: 1n }]);
      const order = (part: object) =>
        isRefused(() =>
          orderImage({ model: "random", prompt: "x", ...part }, principalAt(1_000_000), book),
        );
      const isListed = (list: readonly string[], text: string) => list.includes(text);
      expect(order({ size: otherSize }) === null).toBe(isListed(sizes, otherSize));
      expect(order({ quality: otherQuality }) === null).toBe(
        otherQuality === "auto" || isListed(qualities, otherQuality),
      );
    }),
  );
});

const resolutions = ["480p", "720p", "1080p"] as const;
const seconds = fc.integer({ min: 1, max: 60 });
const durations = fc.oneof(
  some(seconds),
  fc
    .tuple(seconds, seconds, seconds)
    .map((three) => three.sort((one, other) => one - other))
    .map(([min, usual, max]) => ({ min, default: usual, max })),
);

const videos = fc.record({
  durations,
  offered: fc.uniqueArray(fc.constantFrom(...resolutions), { minLength: 1 }),
  audio: fc.boolean(),
  amounts: fc.array(amount, { minLength: 6, maxLength: 6 }),
  perToken: fc.option(amount),
  perRequest: fc.option(amount),
  asked: fc.integer({ min: -3, max: 63 }),
  at: fc.nat(2),
  sound: fc.boolean(),
  delivered: share,
  ppm,
});

test("videos of a random model: the seconds delivered never cost more than those ordered", () => {
  fc.assert(
    fc.property(videos, (given) => {
      const { offered, audio, amounts, perToken, perRequest } = given;
      const model = stored("video", { durations: given.durations, resolutions: offered, audio });
      if (model.family !== "video") throw new Error("a video model");
      const rates: Rate[] = [
        ...offered.flatMap((resolution, at) =>
          [false, true].map(
            (sound): Rate => ({
              unit: "second",
              resolution,
              audio: sound,
              amount: amounts[at * 2 + Number(sound)] ?? 0n,
            }),
          ),
        ),
        ...(perToken === null ? [] : [{ unit: "video_token" as const, amount: perToken }]),
        ...(perRequest === null ? [] : [{ unit: "request" as const, amount: perRequest }]),
      ];
      expect(rateGaps(model, rates)).toEqual([]);
      const body = {
        model: "random",
        prompt: "x",
        duration: given.asked,
        resolution: offered[given.at % offered.length],
        generate_audio: audio && given.sound,
      };
      validate(videoRequest, body);
      const made = () =>
        orderVideo(requestedVideoOfCall(body), principalAt(given.ppm), bookOf(rates));
      const { asked } = given;
      const chosen = asked < 0 ? asked : Math.max(asked, model.durationSecondsMin);
      const isAllowed =
        model.durations?.includes(chosen) ?? (chosen >= 0 && chosen <= model.durationSecondsMax);
      expect(isRefused(made)).toBe(isAllowed ? null : "unsupported_value");
      if (!isAllowed) return;
      const { spec, holdAmount, quoteAmount, price } = made();
      const facts = { resolution: null, ratio: null, framesPerSecond: null, seed: null };
      const bill = billOf(
        model,
        spec,
        {
          status: "succeeded",
          videoUrl: "https://a.example/1.mp4",
          outputTokens: null,
          usageFault: null,
          reported: null,
          facts: { ...facts, durationSeconds: spec.durationSeconds * given.delivered },
        },
        price.price,
      );
      const due = chargeOf(bill.usage, price.price, given.ppm);
      expect(due <= holdAmount && quoteAmount <= holdAmount).toBe(true);
    }),
  );
});
