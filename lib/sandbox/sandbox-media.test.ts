import { beforeEach, expect, test } from "vitest";
import { extent, isWhole } from "@/testing/extent/extent";
import { rememberingStudio } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import { offeredModelsOf } from "../catalog/models";
import { videoSize, videoTokens } from "../catalog/video-sizes";
import { type Sandbox, startSandbox } from "./sandbox";

/** Its videos are not looked at. */
/** Where the orders go. */
let sandbox: Sandbox;
const drawing = await opened(startSandbox({ pace: 0 }));
const quick = await opened(startSandbox({ pace: 0, studio: rememberingStudio() }));
beforeEach(() => {
  sandbox = drawing;
});

const TASKS = "/contents/generations/tasks";

function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${sandbox.channel.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sandbox.channel.apiKey}`,
      "content-type": "application/json",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

interface TaskView {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly content: { readonly video_url: string };
  readonly usage?: { readonly completion_tokens: unknown };
}

async function submit(prompt: string, more: object = {}): Promise<string> {
  const content = [{ type: "text", text: prompt }];
  const answer = await ask("POST", TASKS, {
    model: "sandbox-super-relay-2",
    content,
    resolution: "480p",
    duration: 5,
    ...more,
  });
  return ((await answer.json()) as { id: string }).id;
}

async function ended(id: string): Promise<TaskView> {
  for (;;) {
    const task = (await (await ask("GET", `${TASKS}/${id}`)).json()) as TaskView;
    if (task.status !== "queued" && task.status !== "running") return task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The size and the length that an MP4's own boxes state. */
function mp4Facts(file: Buffer): { width: number; height: number; seconds: number } {
  const header = file.indexOf("mvhd");
  const track = file.indexOf("tkhd");
  return {
    seconds: file.readUInt32BE(header + 20) / file.readUInt32BE(header + 16),
    width: file.readUInt32BE(track + 80) >> 16,
    height: file.readUInt32BE(track + 84) >> 16,
  };
}

const fileAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

test.each([
  ["480p", "16:9", 5],
  ...extent(
    [],
    [["480p", "9:16", 5] as const, ["720p", "9:16", 5] as const, ["480p", "21:9", 12] as const],
  ),
] as const)(
  "a video of %s, %s and %i s is an H.264 file of that size and length, with a real one's tokens",
  async (resolution, ratio, duration) => {
    const task = await ended(
      await submit("a lighthouse in the rain", { resolution, ratio, duration }),
    );
    const size = videoSize("second", resolution, ratio);
    expect(task).toMatchObject({
      status: "succeeded",
      error: null,
      usage: { completion_tokens: videoTokens(size, duration) },
    });
    expect(task).toMatchObject({ resolution, ratio, duration, framespersecond: 24 });
    const file = await fileAt(task.content.video_url);
    expect(file.toString("latin1", 4, 8)).toBe("ftyp");
    expect(file.includes("avc1")).toBe(true);
    expect(mp4Facts(file)).toEqual({ width: size[0], height: size[1], seconds: duration });
  },
);

test.runIf(isWhole)("another prompt gives another video, and its frames differ", async () => {
  const [first, second] = await Promise.all(
    ["a cat", "a dog"].map(async (prompt) => ended(await submit(prompt))),
  );
  const files = await Promise.all(
    [first, second].map((task) => fileAt(task?.content.video_url ?? "")),
  );
  expect(files[0]?.equals(files[1] as Buffer)).toBe(false);
  expect(files[0]?.length).toBeGreaterThan(20_000);
});

test("a task with a queue directive stays cancellable for that long", async () => {
  const id = await submit("[[queue:600]] x");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await ask("DELETE", `${TASKS}/${id}`)).status).toBe(200);
  expect((await ended(id)).status).toBe("cancelled");
});

test("a task is queued, runs, then has its video; only a queued one can be cancelled", async () => {
  const slow = await startSandbox({ pace: 0.2, studio: rememberingStudio() });
  const call = (method: string, path: string, body?: object) =>
    fetch(`${slow.channel.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${slow.channel.apiKey}` },
      body: body ? JSON.stringify(body) : null,
    });
  const order = {
    model: "sandbox-super-relay",
    content: [{ type: "text", text: "x" }],
    resolution: "480p",
    duration: 3,
  };
  const [first, second] = await Promise.all(
    [1, 2].map(
      async () =>
        ((await (await call("POST", TASKS, order)).json()) as TaskView & { id: string }).id,
    ),
  );
  expect((await call("DELETE", `${TASKS}/${first}`)).status).toBe(200);
  const seen = new Set<string>();
  for (let status = ""; status !== "succeeded"; ) {
    status = ((await (await call("GET", `${TASKS}/${second}`)).json()) as TaskView).status;
    if (status === "running" && !seen.has("running"))
      expect((await call("DELETE", `${TASKS}/${second}`)).status).toBe(409);
    seen.add(status);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect([...seen]).toEqual(["queued", "running", "succeeded"]);
  expect(await (await call("GET", `${TASKS}/${first}`)).json()).toMatchObject({
    status: "cancelled",
  });
  await slow.close();
});

test("each misbehaviour of a video does what its name says", async () => {
  sandbox = quick;
  expect(await ended(await submit("[[fail]]"))).toMatchObject({
    status: "failed",
    error: { code: "InternalServiceError" },
  });
  expect((await ended(await submit("[[fail:audio]]"))).error?.code).toBe(
    "OutputAudioSensitiveContentDetected.PolicyViolation",
  );
  expect(await ended(await submit("[[no-usage]]"))).not.toHaveProperty("usage");
  expect(await ended(await submit("[[tokens:77]]"))).toMatchObject({
    usage: { completion_tokens: 77 },
  });
  expect(await ended(await submit('[[usage:"many"]]'))).toMatchObject({
    usage: { completion_tokens: "many" },
  });
  const content = [{ type: "text", text: "[[status:503]]" }];
  expect((await ask("POST", TASKS, { model: "sandbox-super-relay", content })).status).toBe(503);
  const cut = await ended(await submit("[[truncate]]"));
  await expect(fileAt(cut.content.video_url)).rejects.toThrow();
  const hanging = await submit("[[hang]]");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await (await ask("GET", `${TASKS}/${hanging}`)).json()).toMatchObject({
    status: "running",
  });
});

test.each(["1024x1024", ...extent([], ["512x4096", "2560x1440"])])(
  "an image of %s is a PNG of that size, with tokens by its pixels",
  async (size) => {
    const answer = (await (
      await ask("POST", "/images/generations", {
        model: "sandbox-super-relay-img",
        prompt: "a fox",
        size,
      })
    ).json()) as {
      data: [{ url: string; size: string }];
      usage: object;
    };
    const [width = 0, height = 0] = size.split("x").map(Number);
    expect(answer.usage).toMatchObject({
      generated_images: 1,
      output_tokens: Math.round((width * height) / 256),
    });
    const file = await fileAt(answer.data[0].url);
    expect([file.toString("latin1", 1, 4), file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([
      "PNG",
      width,
      height,
    ]);
  },
);

test("an image is returned as base64 on request, and misbehaves on request", async () => {
  const generate = (more: object) =>
    ask("POST", "/images/generations", {
      model: "sandbox-super-relay-img",
      size: "512x512",
      ...more,
    });
  const inline = (await (await generate({ prompt: "x", response_format: "b64_json" })).json()) as {
    data: [{ b64_json: string }];
  };
  expect(Buffer.from(inline.data[0].b64_json, "base64").toString("latin1", 1, 4)).toBe("PNG");
  expect((await generate({ prompt: "[[fail]]" })).status).toBe(500);
  expect((await generate({ prompt: "[[status:429]]" })).status).toBe(429);
  expect(await (await generate({ prompt: "[[no-usage]]" })).json()).not.toHaveProperty("usage");
  await expect((await generate({ prompt: "[[garbage]]" })).json()).rejects.toThrow();
});

test("every video model has its own name, and every size can be encoded: both sides are even", () => {
  const videos = offeredModelsOf("video");
  expect(new Set(videos.map(({ id }) => sandbox.channel.models[id])).size).toBe(videos.length);
  for (const { sizeGeneration, resolutions, ratios } of videos)
    for (const resolution of resolutions)
      for (const ratio of ratios)
        expect(videoSize(sizeGeneration, resolution, ratio).map((side) => side % 2)).toEqual([
          0, 0,
        ]);
});
