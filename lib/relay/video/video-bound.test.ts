/** Random orders over all fields, at random rates: no bill is above its quote or its hold. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { extent } from "@/testing/extent/extent";
import { wholeModel, wholeVideo } from "@/testing/relay/whole-video";
import { builtInModels } from "../../catalog/built-in";
import { catalogueOf, findModel, replaceCatalogue } from "../../catalog/models";
import { secondsOfFrames, videoSize, videoTokens } from "../../catalog/video-sizes";
import { type VideoTaskRequest, videoTaskRequest } from "../../contract/video-task";
import { validate } from "../../http/validate";
import type { Price } from "../../pricing/price";
import { priceOf } from "../../pricing/price";
import { linesOf } from "../../pricing/price-lines";
import { priceOfRates, type Rate } from "../../pricing/rate";
import { requestedVideoOfTask } from "./requested-video";
import { billOf } from "./video-bill";
import { orderVideo, withInputSeconds } from "./video-order";

const sold = wholeModel();
replaceCatalogue(catalogueOf([...builtInModels, sold]));

const cases = wholeVideo.rates.filter(({ unit }) => unit === "video_token");
type Case = (typeof cases)[number];
const names = ["resolution", "audio", "input_video", "tier"] as const;

/** Rates of tokens or seconds that depend on some of what is ordered, of tools, and of requests. */
const price: fc.Arbitrary<Price> = fc
  .record({
    unit: fc.constantFrom("video_token", "second"),
    dependsOn: fc.subarray([...names]),
    amounts: fc.array(fc.bigInt(0n, 9_000_000_000n), { minLength: 42, maxLength: 42 }),
    hours: fc.constantFrom(null, "00:00-12:00", "12:00-00:00"),
  })
  .map(({ unit, dependsOn, amounts, hours }) => {
    const tier = { tier: true };
    const needed = { ...Object.fromEntries(dependsOn.map((name) => [name, true])), ...tier };
    const byCase = new Map<string, Rate>();
    for (const [at, each] of cases.entries()) {
      const ordered = Object.fromEntries(
        names.filter((name) => name in needed).map((name) => [name, (each as Case)[name as never]]),
      );
      byCase.set(JSON.stringify(ordered), {
        unit: unit as "second",
        ...ordered,
        amount: amounts[at] ?? 0n,
      });
    }
    const others = [
      { unit: "tool_call", amount: amounts[40] ?? 0n },
      { unit: "request", amount: amounts[41] ?? 0n },
    ] as const;
    const all = [...byCase.values(), ...others];
    const timed = all.map((rate, at) => ({ ...rate, amount: amounts[41 - (at % 42)] ?? 0n }));
    return priceOfRates([...all, ...(hours ? timed.map((rate) => ({ ...rate, hours })) : [])]);
  });

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const file = "https://files.example/a";
const body = fc
  .record({
    resolution: maybe(fc.constantFrom(...sold.resolutions)),
    ratio: maybe(fc.constantFrom(...sold.ratios, "adaptive")),
    duration: maybe(fc.constantFrom(-1, 1, 2, 7, 15)),
    frames: maybe(fc.integer({ min: 6, max: 66 }).map((n) => 25 + 4 * n)),
    generate_audio: maybe(fc.boolean()),
    service_tier: maybe(fc.constantFrom("default", "flex", "auto")),
    draft: maybe(fc.boolean()),
    tools: maybe(fc.constant([{ type: "web_search" }])),
    priority: maybe(fc.integer({ min: 0, max: 9 })),
    omni_reference_task_type: maybe(fc.constantFrom("auto", "edit")),
    source: fc.constantFrom("none", "first_frame", "video", "draft"),
  })
  .map(({ source, ...fields }) => {
    const text = { type: "text", text: "a boat" };
    if (source === "draft") {
      const { frames: _, draft: __, ...rest } = fields;
      return { ...rest, content: [{ type: "draft_task", draft_task: { id: "cgt-1" } }] };
    }
    const items = {
      none: [],
      first_frame: [{ type: "image_url", image_url: { url: file }, role: "first_frame" }],
      video: [{ type: "video_url", video_url: { url: file } }],
    }[source];
    return { ...fields, content: [text, ...items] };
  });

/** What an upstream may make of an order: fractions of what it leaves open. */
const made = fc.record({
  length: fc.double({ min: 0.05, max: 1, noNaN: true }),
  input: fc.double({ min: 0, max: 1, noNaN: true }),
  ratio: fc.constantFrom(...sold.ratios),
  calls: fc.integer({ min: 0, max: 5 }),
  isFlexible: fc.boolean(),
  /** The seconds of the input where they are measured. */
  measured: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
  audio: fc.boolean(),
  share: fc.constantFrom(0.6, 1),
});

test("no bill is above its quote or its hold, and one that leaves nothing open is both's lines", () => {
  fc.assert(
    fc.property(
      body,
      price,
      made,
      fc.integer({ min: 1, max: 9_000_000 }),
      (fields, rates, as, ppm) => {
        const whole = { model: sold.id, ...JSON.parse(JSON.stringify(fields)) };
        validate(videoTaskRequest, whole);
        const version = { id: "1", model: sold.id, price: rates, effectiveAt: new Date(0) };
        const requested = requestedVideoOfTask(whole as VideoTaskRequest);
        const isMeasured = requested.referenceVideoUrls.length > 0;
        const bounded = orderVideo(
          requested,
          { ...usualPrincipal, multiplierPpm: () => ppm },
          { current: () => version },
        );
        const { measured } = as;
        const order =
          isMeasured && measured ? withInputSeconds(bounded, requested, measured) : bounded;
        const { spec } = order;
        const isOpen = spec.isAutoLength || spec.source === "draft";
        const most = spec.durationSeconds;
        const seconds = isOpen ? Math.max(1, Math.floor(most * as.length)) : most;
        const ratio = spec.ratio === "adaptive" ? as.ratio : spec.ratio;
        const input = spec.inputSeconds ?? Math.floor(as.input * 15);
        const counted = seconds + (spec.source === "video" ? input : 0);
        const tokens = videoTokens(videoSize(sold.sizeGeneration, spec.resolution, ratio), counted);
        const share = spec.settings?.draft ? as.share : 1;
        const isFlex = spec.settings?.service_tier === "flex";
        const servedAs = isFlex && as.isFlexible ? "flex" : "default";
        const bill = billOf(
          findModel(sold.id),
          spec,
          {
            status: "succeeded",
            videoUrl: "https://results.example/v.mp4",
            outputTokens: Math.max(1, Math.floor(tokens * share)),
            usageFault: null,
            reported: {},
            facts: {
              ...{ resolution: spec.resolution, ratio, durationSeconds: seconds },
              ...{ framesPerSecond: 24, seed: null, serviceTier: servedAs },
              generateAudio: spec.source === "draft" ? as.audio : spec.generateAudio,
              toolCalls: { web_search: as.calls },
            },
          },
          rates,
        );
        const due = priceOf(bill.usage, rates, ppm);
        expect(due <= order.holdAmount).toBe(true);
        expect(order.quoteAmount <= order.holdAmount).toBe(true);
        const isAsQuoted = (!isFlex || as.isFlexible) && spec.source !== "draft";
        if (isAsQuoted) expect(due <= order.quoteAmount).toBe(true);
        const hasTools = spec.settings?.tools !== undefined;
        const isInputKnown = spec.source === undefined || spec.inputSeconds !== undefined;
        const isKnown = isAsQuoted && !isOpen && spec.ratio !== "adaptive" && isInputKnown;
        if (!isKnown || hasTools || share < 1) return;
        expect(due).toBe(order.quoteAmount);
        expect(linesOf("video", bill.usage, rates)).toEqual(
          linesOf("video", order.quoteUsage, rates),
        );
      },
    ),
    { numRuns: extent(400, 5000) },
  );
});

test("frames are counted as they are, not as the seconds that they nearly make", () => {
  const size = videoSize("second", "720p", "16:9");
  for (let frames = 29; frames <= 289; frames += 4)
    expect(videoTokens(size, secondsOfFrames(frames))).toBe(
      Math.ceil((1280 * 720 * frames) / 1024),
    );
});
