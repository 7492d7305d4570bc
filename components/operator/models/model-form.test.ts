import { expect, test } from "vitest";
import { modelFile } from "@/lib/contract/model-file";
import type { ModelDetail } from "@/lib/contract/operator-models";
import type { Family } from "@/lib/contract/states";
import { file as series } from "@/testing/relay/image-series";
import { wholeText } from "@/testing/relay/whole-text";
import { wholeVideo } from "@/testing/relay/whole-video";
import { draftModel } from "./draft-model";
import { contentOf, emptyInput, fileOf, inputOf, type ModelInput } from "./model-form";

const typed = (input: Partial<ModelInput>): ModelInput => ({ ...emptyInput, id: "acme", ...input });

const perSecond = (ordered: object, points: string) =>
  ({ unit: "second", ordered, points, cost: "" }) as const;

/** A model as the server shows it that was made of a file. */
function detailOf(content: ReturnType<typeof contentOf>, isBuiltIn = false): ModelDetail {
  const file = modelFile.parse(content);
  const rates = (file.rates ?? []).map((rate) => ({ ...rate, points: String(rate.points) }));
  const { id, family, aliases = [], names = null, spec } = file;
  const row = {
    retiresAt: null,
    replacedBy: null,
    version: 1,
    channels: 0,
    state: "draft" as const,
  };
  return {
    revision: "1-none",
    model: { id, family, aliases, rates, isBuiltIn, ...row },
    names,
    spec: { ...spec },
    needs: { hasPrice: true, gaps: [], isMapped: false, isTested: false },
    mappings: [],
    openOrders: 0,
  };
}

const lives: [string, Family, Partial<ModelInput>, object][] = [
  [
    "a text model",
    "text",
    { aliases: "one, two", outputTokens: "8000", contextTokens: "", tools: false },
    { output_tokens_max: 8000, context_tokens: null, image_tokens_max: null, tools: false },
  ],
  [
    "a video model of any length",
    "video",
    { secondsMin: "2", secondsMax: "9", secondsDefault: "4", resolutions: "1080p 720p" },
    { durations: { min: 2, max: 9, default: 4 }, resolution_default: "1080p" },
  ],
  [
    "a video model of listed lengths",
    "video",
    { lengths: "listed", secondsListed: "8，4", ratios: "1:1", audio: true, lastFrame: true },
    { durations: [8, 4], ratio_default: "1:1", audio: true, last_frame: true },
  ],
  [
    "an image model within limits",
    "image",
    { sideMin: "256", pixelsMax: "4000000", ratioSizes: "16:9 1536x864\n\n1:1  1024x1024 " },
    { pixels_max: 4_000_000, sizes: { "16:9": "1536x864", "1:1": "1024x1024" } },
  ],
  [
    "an image model of listed sizes",
    "image",
    { sizes: "listed", sizesListed: "512x512, 768x512", qualities: "high, standard" },
    { sizes: ["512x512", "768x512"], size_default: "512x512", quality_default: "high" },
  ],
];

test.each(lives)(
  "%s: its file has what was typed, and shown again it is the same",
  (_, family, input, spec) => {
    const values = typed({
      ...input,
      rates: [{ unit: "request", ordered: {}, points: "1.5", cost: "" }],
    });
    const file = fileOf(family, values, null);
    expect(file?.spec).toMatchObject(spec);
    const before = detailOf(contentOf(family, values, null));
    const again = contentOf(family, inputOf(before), before);
    expect(modelFile.parse(again)).toMatchObject({ family, spec, id: "acme" });
    // Nothing is priced anew that did not change.
    expect(again).not.toHaveProperty("rates");
  },
);

test("what is not whole has no preview; what is has its facts, its price and what lacks a rate", () => {
  const video = typed({ lengths: "listed", secondsListed: "4", resolutions: "480p, 720p" });
  expect(draftModel("video", typed({}), null)).toBeNull();
  expect(draftModel("video", { ...video, rates: [perSecond({}, "nine")] }, null)).toBeNull();
  const rates = [perSecond({ resolution: "480p" }, "5")];
  expect(draftModel("video", { ...video, rates }, null)).toMatchObject({
    model: { durations: [4], state: "draft" },
    price: { rates: [{ unit: "second", points: "5.000000" }] },
    gaps: ["second resolution=720p audio=false"],
  });
});

test("what is built in keeps its limits, whatever is typed, and words are of the languages that have any", () => {
  const before = detailOf(contentOf("text", typed({ outputTokens: "10" }), null), true);
  const change = { ...inputOf(before), outputTokens: "99", enTitle: "One" };
  expect(contentOf("text", change, before)).toMatchObject({
    spec: { output_tokens_max: 10 },
    names: { en: { title: "One", sentence: "" } },
  });
  expect(fileOf("text", change, before)).toBeNull();
  expect(contentOf("text", inputOf(before), before).names).toBeNull();
  const chinese = { ...inputOf(before), zhTitle: "甲", zhSentence: "乙" };
  expect(contentOf("text", chinese, before).names).toEqual({
    "zh-CN": { title: "甲", sentence: "乙" },
  });
});

test.each([
  ["text", wholeText.spec, { offers: wholeText.spec.offers }],
  ["image", series.spec, { passes: series.spec.passes, tools: series.spec.tools, images_max: 15 }],
  ["video", wholeVideo.spec, { offers: wholeVideo.spec.offers }],
] as const)("%s: what the form has no fields for stays as it was", (family, spec, kept) => {
  const before = detailOf({ id: "acme", family, aliases: [], names: null, spec });
  expect(fileOf(family, inputOf(before), before)?.spec).toMatchObject(kept);
});

test("what an upstream may add to a text needs the model's context", () => {
  const { context_tokens: _, ...spec } = wholeText.spec;
  const read = modelFile.safeParse({ id: "acme", family: "text", spec });
  expect(read.error?.issues[0]?.path).toEqual(["spec", "context_tokens"]);
});

test("a number that is none is sent as it was typed, so that the refusal names it", () => {
  const { spec } = contentOf("text", typed({ outputTokens: "1e9", contextTokens: "-1" }), null);
  expect(spec).toMatchObject({ output_tokens_max: "1e9", context_tokens: "-1" });
});
