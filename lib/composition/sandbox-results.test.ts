/** Videos and images of the sandbox, with all real parts: stored, linked and charged once. */
import { expect, test } from "vitest";
import { startComposedRelay } from "@/testing/composition/composed-relay";
import { opened } from "@/testing/unit/opened";
import { answer } from "./composition";

const { tool, accountId, key } = await opened(startComposedRelay());

test("the sandbox makes a video in either style: it is charged once and its link plays", async () => {
  await tool.credit({
    accountId,
    kind: "grant",
    ref: "video",
    amount: 100_000_000n,
    reason: "test",
    actor: "cli",
  });
  const before = await tool.balance(accountId);
  const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    answer(
      new Request(`http://relay.test${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }),
    );
  const order = { model: "super-relay-fast", resolution: "480p", duration: 1 };
  const [called, created] = await Promise.all([
    post("/v1/videos/generations", { ...order, prompt: "a fox" }),
    post("/v1/contents/generations/tasks", {
      ...order,
      content: [{ type: "text", text: "a hare" }],
    }),
  ]);
  const [video, { id }] = [await called.json(), await created.json()];
  expect(video).toMatchObject({
    model: "super-relay-fast",
    duration: 3,
    resolution: "480p",
    id: called.headers.get("x-relay-task-id"),
  });
  const poll = async () =>
    (
      await answer(
        new Request(`http://relay.test/v1/contents/generations/tasks/${id}`, { headers }),
      )
    ).json();
  await expect.poll(async () => (await poll()).status, { timeout: 20_000 }).toBe("succeeded");
  const links = [video.video_url, (await poll()).content.video_url];
  for (const link of links) {
    const file = await answer(new Request(link.replace(/^https?:\/\/[^/]+/, "http://relay.test")));
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(Buffer.from(await file.arrayBuffer()).toString("latin1", 4, 8)).toBe("ftyp");
  }
  const after = await tool.balance(accountId);
  expect(after.held).toBe(0n);
  // 864 × 480 × 73 / 1024 tokens at 420 points a million, twice.
  expect(before.available - after.available).toBe(2n * 29_565n * 420n);
}, 40_000);

test.each([
  [
    "an image",
    "/v1/images/generations",
    { model: "super-relay-img", prompt: "A fox", size: "512x512" },
    "image/png",
  ],
  [
    "a video",
    "/v1/videos/generations",
    { model: "super-relay-fast", prompt: "A fox", duration: 3, resolution: "480p" },
    "video/mp4",
  ],
])(
  "%s of the sandbox is in our own store and served by our own link, also in part",
  async (_, path, body, type) => {
    const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
    const response = await answer(
      new Request(`http://relay.test${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }),
    );
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(Number(response.headers.get("x-relay-points"))).toBeGreaterThan(0);
    const link = /"(?:video_)?url":"([^"]+)"/.exec(text)?.[1] as string;
    expect(link).toMatch(/^http:\/\/localhost:\d+\/v1\/media\/media_/);
    const file = await answer(new Request(link, { headers: { range: "bytes=0-99" } }));
    expect([
      file.status,
      file.headers.get("content-type"),
      (await file.arrayBuffer()).byteLength,
    ]).toEqual([206, type, 100]);
    expect((await answer(new Request(link.replace(/.$/, "_")))).status).toBe(403);
  },
  60_000,
);
