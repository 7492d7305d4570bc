/**
 * Videos from an upstream that speaks the Videos API, from the order to the charge: the sandbox over
 * real HTTP, and scripted answers where it must misbehave.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { mp4Of } from "@/testing/media/files";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { videoClient } from "@/testing/relay/video-client";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import { type Script, sendJson, startUpstream } from "@/testing/upstream/test-upstream";

let script: Script;
let relay: TestRelay;
const { close, work, order, poll, ended } = videoClient(() => relay);

const sandbox = await opened(startQuickSandbox());
const upstream = await opened(startUpstream((...args) => script(...args)));
const models = { "Super-Relay2.0": "sora-2" };
beforeEach(async () => {
  relay = await openTestRelay({
    channels: [upstream.channel({ models })],
    points: "10000",
    keepsVideos: true,
    videoTimes: { pollSeconds: 0.02 },
  });
});
afterEach(async () => {
  expect(await close()).toEqual([]);
});

const FILE = mp4Of(200_000);
let jobs = 0;
const job = (members: object) =>
  JSON.stringify({ id: `video_${jobs}`, object: "video", ...members });

/** An upstream whose video is done at the second poll. `content` answers the download. */
function makes(members: object, content: Script = (response) => void response.end(FILE)): Script {
  let polls = 0;
  return (response, request, count) => {
    if (request.path.includes("/content")) return content(response, request, count);
    if (request.method === "POST") jobs++;
    const isDone = request.method === "GET" && ++polls > 1;
    sendJson(response, job(isDone ? { status: "completed", ...members } : { status: "queued" }));
  };
}

async function made(text = "a cat --rs 720p --dur 5 --rt 16:9") {
  work({ results: relay.video.results });
  const created = await order(text);
  const task = await ended(created.json.id);
  return { task, end: (await relay.ends()).at(-1) };
}

test("the sandbox's video is downloaded with the channel's key, and billed by size and seconds", async () => {
  relay.setting.channels = [{ ...sandbox.channel, protocol: "openai" }];
  const channelById = () => relay.setting.channels[0];
  work({ channelById, results: relay.video.results });
  const { json } = await order("a cat --rs 720p --dur 5 --rt 16:9");
  const task = await ended(json.id);
  expect(task).toMatchObject({
    status: "succeeded",
    usage: { completion_tokens: 108_900 },
    resolution: "720p",
    ratio: "16:9",
    duration: 5,
  });
  const file = await relay.send(`/v1/videos/${json.id}/content`);
  expect(file.status).toBe(200);
  expect(file.text).toContain("ftyp");
  const picture = await relay.send(`/v1/videos/${json.id}/content?variant=thumbnail`);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(await relay.ends()).toMatchObject([
    { outcome: "settled", amount: 500_940_000, output: 108_900, losses: [] },
  ]);
  expect(relay.alarms).toEqual([]);
});

test.each<[string, Script]>([
  ["none", (response) => void response.writeHead(404).end()],
  ["no picture", (response) => void response.end(FILE)],
  ["too much", (response) => void response.writeHead(200, { "content-length": 9e9 }).end("x")],
])("an upstream with %s for a thumbnail: the video is whole and charged", async (_, thumbnail) => {
  script = makes({}, (response, request, count) => {
    if (request.path.includes("thumbnail")) return thumbnail(response, request, count);
    response.end(FILE);
  });
  const { task, end } = await made();
  expect(end).toMatchObject({ outcome: "settled", output: 108_900 });
  expect((await relay.send(`/v1/videos/${task.id}/content`)).status).toBe(200);
  const { status, json } = await relay.send(`/v1/videos/${task.id}/content?variant=thumbnail`);
  expect([status, json.error]).toMatchObject([404, { code: "not_found" }]);
});

test("the delivered size and seconds are billed, and an answer without them as ordered", async () => {
  script = makes({ size: "640x360", seconds: "2" });
  const small = await made();
  expect(small.end).toMatchObject({
    outcome: "settled",
    output: Math.ceil((640 * 360 * 49) / 1024),
  });
  script = makes({});
  expect((await made()).end).toMatchObject({ outcome: "settled", output: 108_900, losses: [] });
  expect(relay.alarms).toEqual([]);
});

test("more than was ordered is charged at most at the hold, with an alarm; an impossible length is free", async () => {
  script = makes({ size: "4096x4096", seconds: "5" });
  const { end } = await made();
  expect(end).toMatchObject({ outcome: "settled", losses: ["usage_over_hold"] });
  expect(end?.amount).toBe(end?.held);
  script = makes({ size: "1280x720", seconds: "9999" });
  expect((await made()).end).toMatchObject({ amount: 0, losses: ["usage_missing"] });
  expect(relay.alarms.map(({ alarm }) => alarm)).toEqual(["usage_over_hold", "usage_missing"]);
});

test("three videos without a count do not make the channel rest", async () => {
  script = makes({ size: "1280x720", seconds: "5" });
  for (let count = 0; count < 3; count++) await made();
  const [channel] = relay.setting.channels;
  expect(relay.video.chooser.cooldownOf(channel?.id ?? "")).toBe(0);
});

test("a download that is cut, or too large, or refused for its key is tried again", async () => {
  const asked: (string | undefined)[] = [];
  const faults: Script[] = [
    (response) => void response.writeHead(200, { "content-length": 9e9 }).end(FILE),
    (response) => void response.writeHead(401).end(),
    (response) => {
      response.writeHead(200, { "content-length": FILE.length });
      response.write(FILE.subarray(0, 1000), () => response.destroy());
    },
  ];
  script = makes({}, (response, request, count) => {
    if (request.path.includes("thumbnail")) return void response.writeHead(404).end();
    asked.push(request.headers.authorization);
    const fault = faults.shift();
    if (fault) return fault(response, request, count);
    response.end(FILE);
  });
  expect((await made()).end).toMatchObject({ outcome: "settled", output: 108_900 });
  expect(asked).toEqual(Array(4).fill("Bearer upstream-secret"));
});

test("a redirect to another origin gets no credential", async () => {
  const other: (string | undefined)[] = [];
  const cdn = await startUpstream((response, { headers }) => {
    other.push(headers.authorization);
    response.end(FILE);
  });
  script = makes({}, (response) => void response.writeHead(302, { location: cdn.url }).end());
  work({ results: relay.video.results });
  const { json } = await order();
  await expect.poll(() => relay.logged.join()).toContain("could not be stored yet");
  // A loopback address that is not the channel's own is not even connected to.
  expect(relay.logged.join()).toContain("the result's address is not public");
  expect(other).toEqual([]);
  expect((await poll(json.id)).json.status).not.toBe("succeeded");
  script = (response) => sendJson(response, job({ status: "failed" }));
  await ended(json.id);
  await cdn.close();
});

test("a video that fails or that the upstream lost costs nothing, and the latter is a loss of ours", async () => {
  const lost = '{"error":{"message":"no such video","type":"invalid_request_error"}}';
  script = (response, { method }) =>
    method === "POST"
      ? sendJson(response, job({ status: "queued" }))
      : sendJson(response, job({ status: "failed", error: { code: "moderation_blocked" } }));
  const refused = await made();
  expect(refused.task).toMatchObject({ status: "failed", error: { code: "content_rejected" } });
  expect(refused.end).toMatchObject({ outcome: "released", amount: 0, losses: [] });
  jobs++;
  script = (response, { method }) =>
    method === "POST"
      ? sendJson(response, job({ status: "queued" }))
      : sendJson(response, lost, 404);
  expect((await made()).end).toMatchObject({ outcome: "released", losses: ["orphan_upstream"] });
});

test("an order with a setting that the API lacks goes to the next channel, and neither rests", async () => {
  const second = { ...sandbox.channel, priority: -1 };
  const [first] = relay.setting.channels;
  if (first === undefined) throw new Error("no channel");
  script = makes({});
  const created = await order("a cat --seed 7");
  expect(created.status).toBe(400);
  expect(created.json.error).toMatchObject({ code: "invalid_value", param: "seed" });
  relay.setting.channels = [{ ...first, priority: 1 }, second];
  const seen = upstream.seen.length;
  expect((await order("a cat --seed 7")).status).toBe(200);
  expect(upstream.seen).toHaveLength(seen);
  expect(relay.video.chooser.cooldownOf(first.id)).toBe(0);
});
