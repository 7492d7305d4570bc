/** The specification of videos: a test for each field, model and answer. */
import { describe, expect, test } from "vitest";
import { videoSize, videoTokens } from "@/lib/catalog/video-sizes";
import { imageUrl, startSpecService } from "@/testing/service/spec-service";
import { opened } from "@/testing/unit/opened";

const service = await opened(startSpecService());
const { relay } = service;

describe("video request", () => {
  test("model: required, a video model", async () => {
    await service.refused(
      () => service.video({ model: undefined }),
      400,
      "missing_required_parameter",
      "model",
    );
    await service.refused(
      () => service.video({ model: "RelayV1" }),
      400,
      "unsupported_value",
      "model",
    );
    await service.refused(() => service.video({ model: "other" }), 404, "model_not_found", "model");
  });
  test("prompt: required", () =>
    service.refused(
      () => service.video({ prompt: undefined }),
      400,
      "missing_required_parameter",
      "prompt",
    ));
  test("resolution: 480p, 720p, 1080p; Super-Relay2.5 has no 1080p", async () => {
    for (const resolution of ["480p", "720p", "1080p"])
      expect((await service.quoteOf({ resolution })).json.normalized).toMatchObject({ resolution });
    await service.refused(
      () => service.video({ resolution: "4k" }),
      400,
      "unsupported_value",
      "resolution",
    );
    await service.refused(
      () => service.video({ model: "super-relay-2.5", resolution: "1080p" }),
      400,
      "unsupported_value",
      "resolution",
    );
  });
  test("duration: at most 12, Super-Relay2.5 at most 15", async () => {
    expect((await service.quoteOf({ duration: 12 })).status).toBe(200);
    expect((await service.quoteOf({ model: "super-relay-2.5", duration: 15 })).status).toBe(200);
    await service.refused(
      () => service.video({ duration: 13 }),
      400,
      "unsupported_value",
      "duration",
    );
    await service.refused(
      () => service.video({ model: "super-relay-2.5", duration: 16 }),
      400,
      "unsupported_value",
      "duration",
    );
  });
  test("ratio: six of them", async () => {
    for (const ratio of ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"])
      expect((await service.quoteOf({ ratio })).json.normalized).toMatchObject({ ratio });
    await service.refused(() => service.video({ ratio: "2:1" }), 400, "unsupported_value", "ratio");
  });
  test("first_frame_url: image to video, on every model", async () => {
    for (const model of ["super-relay", "super-relay-2"])
      expect((await service.quoteOf({ model, first_frame_url: imageUrl })).status).toBe(200);
    await service.refused(
      () => service.video({ first_frame_url: "ftp://example.org/a.png" }),
      400,
      "invalid_value",
      "first_frame_url",
    );
  });
  test("reference_images: up to 4, for the 2.0 models", async () => {
    const model = "super-relay-2";
    expect(
      (await service.quoteOf({ model, reference_images: [imageUrl, imageUrl, imageUrl, imageUrl] }))
        .status,
    ).toBe(200);
    await service.refused(
      () => service.video({ model, duration: 5, reference_images: Array(5).fill(imageUrl) }),
      400,
      "unsupported_value",
      "reference_images",
    );
    await service.refused(
      () => service.video({ reference_images: [imageUrl] }),
      400,
      "unsupported_value",
      "reference_images",
    );
  });
  test("generate_audio: default false; on the 2.0 models", async () => {
    expect((await service.quoteOf({ model: "super-relay-2" })).json.normalized).toMatchObject({
      generate_audio: false,
    });
    expect(
      (await service.quoteOf({ model: "super-relay-2", generate_audio: true })).json.normalized,
    ).toMatchObject({
      generate_audio: true,
    });
    await service.refused(
      () => service.video({ generate_audio: true }),
      400,
      "unsupported_value",
      "generate_audio",
    );
  });
});

test("video response: video_url, duration, resolution, model", async () => {
  const { json } = await service.video({ model: "super-relay", ratio: "1:1" });
  expect(json).toMatchObject({ duration: 3, resolution: "480p", model: "super-relay" });
  const { pathname, search } = new URL(json.video_url as string);
  expect((await relay.fetch(pathname + search)).headers.get("content-type")).toBe("video/mp4");
});

describe("video models", () => {
  test.each([
    ["Super-Relay", "super-relay", 3, 0],
    ["Super-RelayFast", "super-relay-fast", 3, 0],
    ["Super-Relay1.5", "super-relay-1.5", 5, 0],
    ["Super-Relay2.0", "super-relay-2", 5, 4],
    ["Super-Relay2.0Fast", "super-relay-2-fast", 5, 4],
    ["Super-Relay2.5", "super-relay-2.5", 5, 4],
  ] as const)(
    "%s: alias %s, at least %i s, %i references",
    async (id, alias, least, references) => {
      const [byId, byAlias] = [
        await service.quoteOf({ model: id, duration: 1 }),
        await service.quoteOf({ model: alias, duration: 1 }),
      ];
      expect(byId.json.normalized).toMatchObject({ duration: least });
      expect(byAlias.json).toEqual(byId.json);
      expect((await service.quoteOf({ model: id, reference_images: [imageUrl] })).status).toBe(
        references > 0 ? 200 : 400,
      );
    },
  );
});

describe("video task", () => {
  test("model: required", () =>
    service.refused(
      () =>
        service.post("/v1/contents/generations/tasks", { content: [{ type: "text", text: "x" }] }),
      400,
      "missing_required_parameter",
      "model",
    ));
  test("content: required", () =>
    service.refused(
      () => service.post("/v1/contents/generations/tasks", { model: "super-relay" }),
      400,
      "missing_required_parameter",
      "content",
    ));
  test("text item: flags --resolution, --duration, --ratio at its end", async () => {
    const { json } = await service.submit("a fox --resolution 480p --duration 4 --ratio 1:1");
    const task = await service.ended(json.id);
    const tokens = videoTokens(videoSize("first", "480p", "1:1"), 4);
    expect(task).toMatchObject({
      resolution: "480p",
      duration: 4,
      ratio: "1:1",
      usage: { completion_tokens: tokens },
    });
  });
  test("first frame image item", async () => {
    const item = { type: "image_url", image_url: { url: imageUrl }, role: "first_frame" };
    expect((await service.submit("a fox --rs 480p --dur 3", [item])).status).toBe(200);
  });
  test("submit answers id and model; poll answers status and content.video_url", async () => {
    const { json } = await service.submit("a fox --rs 480p --dur 3");
    expect(json).toMatchObject({ id: expect.stringMatching(/^cgt-/), model: "super-relay" });
    expect(await service.ended(json.id)).toMatchObject({
      status: "succeeded",
      content: { video_url: expect.stringContaining("/v1/media/") },
    });
  });
});

test("succeeded: the poll carries the video, and the task is settled once", async () => {
  await service.idle();
  const known = (await relay.ends()).length;
  const { json } = await service.submit("a fox --rs 480p --dur 3");
  await service.ended(json.id);
  await Promise.all(Array.from({ length: 10 }, () => service.ended(json.id)));
  expect((await relay.ends()).slice(known)).toMatchObject([{ outcome: "settled" }]);
});
