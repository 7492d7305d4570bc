import { expect, test } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { offeredModelsOf } from "../../catalog/models";
import { type VideoRequest, videoRequest } from "../../contract/video";
import { type VideoTaskRequest, videoTaskRequest } from "../../contract/video-task";
import { isRelayError, type RelayError } from "../../failures/relay-error";
import { validate } from "../../http/validate";
import type { PriceBook } from "../../price-book/price-version";
import { priceOf } from "../../pricing/price";
import { requestedVideoOfCall, requestedVideoOfTask } from "./requested-video";
import { orderVideo } from "./video-order";

const priceBook: PriceBook = {
  current: (model) => ({
    id: "1",
    model,
    price: { input: 0n, output: 4_600_000_000n },
    effectiveAt: new Date(0),
  }),
};
const videos = offeredModelsOf("video");
const image = "https://images.example.com/a.png";

function call(body: object) {
  const whole = { model: "super-relay-2", prompt: "a cat", ...body };
  validate(videoRequest, whole);
  return orderVideo(requestedVideoOfCall(whole as VideoRequest), usualPrincipal, priceBook);
}
function task(text: string, body: object = {}, items: object[] = []) {
  const whole = { model: "super-relay-2", content: [{ type: "text", text }, ...items], ...body };
  validate(videoTaskRequest, whole);
  return orderVideo(requestedVideoOfTask(whole as VideoTaskRequest), usualPrincipal, priceBook);
}
function refusal(run: () => unknown): RelayError {
  try {
    run();
  } catch (error) {
    if (isRelayError(error)) return error;
    throw error;
  }
  throw new Error("it was taken");
}

test.each(videos.map((model) => [model.id, model] as const))(
  "%s below its minimum duration is raised and priced as raised, and above its maximum refused",
  (id, model) => {
    const raised = call({ model: id, duration: 1 });
    expect(raised.spec.durationSeconds).toBe(model.durationSecondsMin);
    expect(raised.holdAmount).toBe(
      call({ model: id, duration: model.durationSecondsMin }).holdAmount,
    );
    expect(call({ model: id, duration: model.durationSecondsMax }).spec.durationSeconds).toBe(
      model.durationSecondsMax,
    );
    const error = refusal(() => call({ model: id, duration: model.durationSecondsMax + 1 }));
    expect([error.code, error.param]).toEqual(["unsupported_value", "duration"]);
    expect(error.message).toContain(String(model.durationSecondsMax));
  },
);

test.each(
  videos.flatMap((model) =>
    [model.id, model.alias, ...model.synonyms].map((name) => [name, model.id] as const),
  ),
)("the name %s is %s", (name, id) => {
  const order = call({ model: name });
  expect([order.model.id, order.modelNamed]).toEqual([id, name]);
});

test("each model × resolution × ratio × duration holds a little more than it will cost", () => {
  let count = 0;
  for (const model of videos) {
    for (const resolution of model.resolutions) {
      for (const ratio of model.ratios) {
        for (
          let duration = model.durationSecondsMin;
          duration <= model.durationSecondsMax;
          duration++
        ) {
          const order = call({ model: model.id, resolution, ratio, duration });
          const cost = priceOf(
            { inputTokens: 0, outputTokens: order.quoteUsage.outputTokens },
            order.price.price,
            1_000_000,
          );
          expect(order.quoteAmount).toBe(cost);
          expect(order.holdAmount >= cost).toBe(true);
          expect(Number(order.holdAmount)).toBeLessThanOrEqual(Number(cost) * 1.1);
          count++;
        }
      }
    }
  }
  expect(count).toBeGreaterThan(700);
});

test.each([
  [{ resolution: "4k" }, "resolution", "480p, 720p, 1080p"],
  [{ model: "Super-Relay2.5", resolution: "1080p" }, "resolution", "480p, 720p"],
  [{ ratio: "2:1" }, "ratio", "16:9"],
  [{ model: "super-relay", ratio: "adaptive" }, "ratio", "16:9"],
  [{ reference_images: Array(5).fill(image) }, "reference_images", "at most 4"],
  [
    { model: "Super-Relay1.5", reference_images: [image] },
    "reference_images",
    "does not support reference images",
  ],
  [{ model: "super-relay", generate_audio: true }, "generate_audio", "does not support audio"],
  [{ first_frame_url: image, reference_images: [image] }, "first_frame_url", "cannot be combined"],
  [{ model: "relay-v1" }, "model", "send a video model"],
  [{ duration: 13 }, "duration", "5 to 12"],
])(
  "%j is refused with the field's name and the values that the model accepts",
  (body, param, words) => {
    const error = refusal(() => call(body));
    expect([error.code, error.param]).toEqual(["unsupported_value", param]);
    expect(error.message).toContain(words);
  },
);

test.each([
  [{ prompt: "" }, "prompt"],
  [{ prompt: " \n" }, "prompt"],
  [{ prompt: "a\u0000b" }, "prompt"],
  [{ duration: "5" }, "duration"],
  [{ duration: 5.5 }, "duration"],
  [{ first_frame_url: "file:///etc/passwd" }, "first_frame_url"],
  [{ first_frame_url: "data:text/html;base64,AAAAAAAAAAAAAAAAAAAA" }, "first_frame_url"],
  [{ first_frame_url: "https://user:secret@a.example/x.png" }, "first_frame_url"],
  [{ reference_images: ["https://a.example/1.png", "no"] }, "reference_images[1]"],
  [{ generate_audio: "true" }, "generate_audio"],
  [{ n: 2 }, "n"],
  [{ service_tier: "flex" }, "service_tier"],
  [{ draft: true }, "draft"],
  [{ frames: 57 }, "frames"],
])("a single call with %j is refused with the field's name", (body, param) => {
  expect(refusal(() => call(body)).param).toBe(param);
});

test("defaults are 720p, 16:9 and 5 s; a first frame decides the ratio; audio and watermark are off", () => {
  const { spec } = call({});
  expect(spec).toMatchObject({
    resolution: "720p",
    ratio: "16:9",
    durationSeconds: 5,
    generateAudio: false,
    watermark: false,
  });
  expect(call({ first_frame_url: image }).spec.ratio).toBe("adaptive");
  expect(call({ first_frame_url: image, ratio: "1:1" }).spec.ratio).toBe("1:1");
  expect(
    call({ n: 1, service_tier: "default", draft: false, return_last_frame: false, seed: -1 }).spec
      .seed,
  ).toBeNull();
});

test("a task's flags and fields form one order, and a contradiction is refused with both names", () => {
  const flagged = task("a cat --resolution 480p --duration 2 --ratio 9:16");
  expect(flagged.spec).toMatchObject({
    prompt: "a cat",
    resolution: "480p",
    durationSeconds: 5,
    ratio: "9:16",
  });
  expect(task("a cat", { resolution: "480p", duration: 2, ratio: "9:16" }).spec).toEqual(
    flagged.spec,
  );
  expect(task("a cat --rs 480p", { resolution: "480p" }).spec.resolution).toBe("480p");
  const error = refusal(() => task("a cat --rs 480p", { resolution: "720p" }));
  expect(error.message).toMatch(/`resolution`.*720p.*--rs 480p/);
  expect(refusal(() => task("a cat --rs 4k")).message).toContain("--rs");
  expect(refusal(() => task("a cat --nope 4k")).message).toContain("--nope");
});

test("flags in a single call also count and are removed, so that no upstream obeys an unpriced one", () => {
  expect(call({ prompt: "a cat --resolution 1080p --dur 12" }).spec).toMatchObject({
    prompt: "a cat",
    resolution: "1080p",
    durationSeconds: 12,
  });
  expect(call({ prompt: "a cat --style x" }).spec.prompt).toBe("a cat --style x");
  expect(call({ prompt: "a cat --rs 1080p please" })).toMatchObject(
    call({ prompt: "a cat please", resolution: "1080p" }),
  );
  expect(task("a --rs 1080p cat --dur 12, please")).toMatchObject(
    task("a cat, please", { resolution: "1080p", duration: 12 }),
  );
  for (const order of [call, (body: object) => task((body as { prompt: string }).prompt)])
    expect(refusal(() => order({ prompt: "a cat --rs 1080p\u200bplease" })).message).toContain(
      "--rs",
    );
});

test.each([
  [{ type: "image_url", image_url: { url: image }, role: "last_frame" }, "content[1].role"],
  [{ type: "video_url", video_url: { url: image } }, "content[1]"],
  [{ type: "audio_url", audio_url: { url: image } }, "content[1]"],
  [{ type: "text", text: "more" }, "content[1]"],
  [{ type: "image_url", image_url: { url: "ftp://x" } }, "content[1].image_url.url"],
  [{ type: "image_url" }, "content[1].image_url"],
])("a task with the item %j is refused with the item's index", (item, param) => {
  expect(refusal(() => task("a cat", {}, [item])).param).toBe(param);
});

test("image roles of a task: a first frame, also without a role, and references", () => {
  const first = { type: "image_url", image_url: { url: image } };
  expect(task("a cat", {}, [first]).images).toEqual({
    firstFrameUrl: image,
    referenceImageUrls: [],
  });
  expect(task("", {}, [{ ...first, role: "first_frame" }]).images.firstFrameUrl).toBe(image);
  const reference = { ...first, role: "reference_image" };
  expect(task("a cat", {}, [reference, reference]).images.referenceImageUrls).toEqual([
    image,
    image,
  ]);
  expect(refusal(() => task("a cat", { model: "super-relay" }, [reference])).code).toBe(
    "unsupported_value",
  );
  expect(refusal(() => task("a cat", {}, [first, first])).param).toBe("content[2]");
  expect(refusal(() => task("--dur 5")).code).toBe("invalid_value");
});
