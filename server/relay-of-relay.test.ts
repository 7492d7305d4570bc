/** Tests that a relay can be the upstream of another relay. */
import { expect, test } from "vitest";
import { openRelayBehind } from "@/testing/relay/relay-behind";
import type { TestRelay } from "@/testing/relay/test-relay";

const { sandbox, inner, outer } = await openRelayBehind();

const post = (path: string, body: object) => outer.send(path, { body: JSON.stringify(body) });
async function fileAt(link: string): Promise<Buffer> {
  const { pathname, search } = new URL(link);
  const answer = await outer.fetch(pathname + search);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test("a relay behind a relay serves text, images and videos, and both charge each once", async () => {
  const [text, image, video] = await Promise.all([
    post("/v1/chat/completions", {
      model: "relay-v1",
      messages: [{ role: "user", content: "hi" }],
    }),
    post("/v1/images/generations", { model: "super-relay-img", prompt: "a fox", size: "512x512" }),
    post("/v1/videos/generations", {
      model: "super-relay-fast",
      prompt: "a fox",
      resolution: "480p",
      duration: 3,
      ratio: "1:1",
      seed: 5,
    }),
  ]);
  expect([text.status, image.status, video.status]).toEqual([200, 200, 200]);
  expect(video.json).toMatchObject({
    duration: 3,
    resolution: "480p",
    ratio: "1:1",
    usage: { completion_tokens: 29_200 },
  });
  expect((await fileAt(video.json.video_url as string)).toString("latin1", 4, 8)).toBe("ftyp");
  const [file] = image.json.data as { url: string }[];
  expect((await fileAt(file?.url ?? "")).toString("latin1", 1, 4)).toBe("PNG");
  const amounts = async (relay: TestRelay) =>
    (await relay.ends()).map(({ outcome, amount, output }) => [outcome, amount, output]).sort();
  expect(await amounts(outer)).toHaveLength(3);
  expect(await amounts(outer)).toEqual(await amounts(inner));
  expect(sandbox.requestLog.seen).toBe(3);
}, 40_000);
