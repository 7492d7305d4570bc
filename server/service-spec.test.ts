/** The service's specification: a test for each field, model, endpoint, error and limit. */
import { describe, expect, test } from "vitest";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { videoSize, videoTokens } from "@/lib/catalog/video-sizes";
import { openTestRelay } from "@/testing/relay/test-relay";
import { imageUrl, startSpecService } from "@/testing/service/spec-service";
import { opened } from "@/testing/unit/opened";

const service = await opened(startSpecService());
const { relay } = service;

describe("one key reaches three families", () => {
  test("Text: RelayV1", async () => expect((await service.chat({})).status).toBe(200));
  test("Video: six models, in both styles", async () => {
    const names = models.filter(({ family }) => family === "video").map(({ id }) => id);
    expect(names).toEqual([
      "Super-Relay",
      "Super-RelayFast",
      "Super-Relay1.5",
      "Super-Relay2.0",
      "Super-Relay2.0Fast",
      "Super-Relay2.5",
    ]);
    for (const model of names) expect((await service.quoteOf({ model })).status).toBe(200);
    expect((await service.video({})).status).toBe(200);
    expect((await service.submit("a fox --rs 480p --dur 3")).status).toBe(200);
  });
  test("Image: Super-Relay-Image", async () =>
    expect((await service.image({ model: "Super-Relay-Image" })).status).toBe(200));
});

describe("chat request", () => {
  test("model: required, RelayV1", async () => {
    await service.refused(
      () => service.chat({ model: undefined }),
      400,
      "missing_required_parameter",
      "model",
    );
    await service.refused(() => service.chat({ model: "other" }), 404, "model_not_found", "model");
  });
  test("messages: required, each with role and content", async () => {
    await service.refused(
      () => service.chat({ messages: undefined }),
      400,
      "missing_required_parameter",
      "messages",
    );
    await service.refused(
      () => service.chat({ messages: [{ content: "hi" }] }),
      400,
      "missing_required_parameter",
      "messages[0].role",
    );
  });
  test("stream: true turns on streaming, ended by [DONE]", async () => {
    const { text, headers } = await service.chat({ stream: true });
    expect(headers.get("content-type")).toContain("text/event-stream");
    expect(text.trim().endsWith("data: [DONE]")).toBe(true);
    expect(JSON.parse(text.split("\n")[0]?.slice(6) ?? "").choices[0].delta).toBeDefined();
  });
  test("stream_options.include_usage: the last chunk carries usage, otherwise none does; both are charged alike", async () => {
    const known = (await relay.ends()).length;
    expect((await service.chat({ stream: true })).text).not.toContain('"usage":{');
    const lines = (
      await service.chat({ stream: true, stream_options: { include_usage: true } })
    ).text
      .trim()
      .split("\n\n");
    expect(JSON.parse(lines.at(-2)?.slice(6) ?? "").usage.total_tokens).toBeGreaterThan(0);
    const [first, second] = (await relay.ends()).slice(known);
    expect(first?.amount).toBe(second?.amount);
  });
});

describe("image request and response", () => {
  test("model: either name", async () => {
    for (const model of ["Super-Relay-Image", "super-relay-img"])
      expect((await service.image({ model })).json).toMatchObject({ model });
  });
  test("prompt: required", () =>
    service.refused(
      () => service.image({ prompt: undefined }),
      400,
      "missing_required_parameter",
      "prompt",
    ));
  test("ratio: replaces size", async () => {
    const { json } = await service.image({ size: undefined, ratio: "9:16" });
    expect(json).toMatchObject({ data: [{ size: "1440x2560" }], usage: { output_tokens: 14_400 } });
  });
  test("size: width x height", async () => {
    expect((await service.image({ size: "640x512" })).json).toMatchObject({
      data: [{ size: "640x512" }],
      usage: { output_tokens: 1280 },
    });
    await service.refused(
      () => service.image({ size: "100x100" }),
      400,
      "unsupported_value",
      "size",
    );
  });
  test("image: one as a string, several as an array, up to 4", async () => {
    for (const given of [imageUrl, [imageUrl, imageUrl]])
      expect((await service.image({ image: given })).status).toBe(200);
    await service.refused(
      () => service.image({ image: Array(5).fill(imageUrl) }),
      400,
      "unsupported_value",
      "image",
    );
  });
  test("n: a value above 1 is 400, without charge", () =>
    service.refused(() => service.image({ n: 2 }), 400, "n_not_supported", "n"));
  test("response: model, data[0].url, usage.generated_images and usage.output_tokens", async () => {
    const { json } = await service.image({});
    expect(json).toMatchObject({
      model: "super-relay-img",
      usage: { generated_images: 1, output_tokens: 1024 },
    });
    expect(json.data).toEqual([{ url: expect.stringContaining("/v1/media/"), size: "512x512" }]);
  });
});

describe("endpoints, all with the key in the Authorization header", () => {
  test.each([
    ["POST", "/v1/chat/completions"],
    ["POST", "/v1/videos/generations"],
    ["POST", "/v1/contents/generations/tasks"],
    ["GET", "/v1/contents/generations/tasks/cgt-0"],
    ["POST", "/v1/images/generations"],
    ["GET", "/v1/models"],
  ])("%s %s", async (method, path) => {
    const body = method === "POST" ? { body: "{}" } : {};
    expect(
      (
        await relay.send(path, {
          method,
          ...body,
          headers: { authorization: "Bearer sk-rly-wrong" },
        })
      ).status,
    ).toBe(401);
    expect([200, 400, 404]).toContain((await relay.send(path, { method, ...body })).status);
  });
});

describe("errors", () => {
  test("image with n above 1: 400, no charge", () =>
    service.refused(() => service.image({ n: 4 }), 400, "n_not_supported", "n"));
  test("a request that fails upstream is not charged", async () => {
    await service.refused(
      () => service.chat({ messages: [{ role: "user", content: "[[fail]]" }] }),
      502,
      "upstream_failed",
      null,
    );
    await service.refused(
      () => service.video({ prompt: "[[fail]]" }),
      502,
      "upstream_failed",
      null,
    );
    await service.refused(
      () => service.image({ prompt: "[[fail]]" }),
      502,
      "upstream_failed",
      null,
    );
  });
  test("duration below the minimum: raised, not refused", async () => {
    expect((await service.video({ duration: 1 })).json).toMatchObject({ duration: 3 });
  });
  test("upstream concurrency exceeded: rejected at once, with the time to wait", async () => {
    const busy = await openTestRelay({
      channels: [{ ...service.sandbox.channel, requestsPerSecond: 2 }],
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => busy.chat()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
    const rejected = answers.find(({ status }) => status === 429);
    expect(rejected?.json.error).toMatchObject({ code: "upstream_concurrency_exceeded" });
    expect(Number(rejected?.headers.get("retry-after"))).toBeGreaterThan(0);
    await busy.close();
  });
  test("audio review fails: the whole task fails, without charge", async () => {
    const order = {
      model: "super-relay-2",
      prompt: "[[fail:audio]]",
      duration: 5,
      generate_audio: true,
    };
    await service.refused(() => service.video(order), 502, "audio_review_failed", null);
  });
});

describe("limits", () => {
  test("requests per key: 60 a minute by default", async () => {
    const { principal } = relay.setting;
    relay.setting.principal = {
      ...principal,
      apiKeyId: "key_limited",
      rateSubject: "key_limited",
      requestsPerMinute: 60,
    };
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await relay.send("/v1/models")).status),
    );
    relay.setting.principal = principal;
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
  test("video link: 24 hours", async () => {
    const { json } = await service.video({});
    const seconds =
      Number(new URL(json.video_url as string).searchParams.get("expires")) - Date.now() / 1000;
    expect(Math.abs(seconds - 24 * 3600)).toBeLessThan(60);
  });
  test("image billing: pixels / 256, so 2048x2048 costs four times 1024x1024", async () => {
    const [small, large] = [
      await service.image({ size: "1024x1024" }),
      await service.image({ size: "2048x2048" }),
    ];
    expect(Number(large.headers.get("x-relay-points"))).toBe(
      4 * Number(small.headers.get("x-relay-points")),
    );
  });
  test("video billing: output only", async () => {
    await service.idle();
    const known = (await relay.ends()).length;
    await service.video({ prompt: "a fox ".repeat(50) });
    expect((await relay.ends()).slice(known)).toMatchObject([
      { input: 0, output: videoTokens(videoSize("first", "480p", "16:9"), 3) },
    ]);
  });
});
