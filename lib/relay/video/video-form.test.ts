/** Tests orders of videos as forms, end to end: money, retries, and clients that go. */

import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createWebServer } from "@/server/web-server";
import { extent } from "@/testing/extent/extent";
import { pngOf } from "@/testing/media/files";
import { openTestRelay } from "@/testing/relay/test-relay";
import { openWorker } from "@/testing/relay/video-client";
import { listen } from "@/testing/stage/listen";
import { opened } from "@/testing/unit/opened";
import { startVideoUpstream, succeeded } from "@/testing/upstream/video-upstream";

const upstream = await opened(startVideoUpstream());
upstream.script.state = () => succeeded();
const relay = await opened(openTestRelay({ channels: [upstream.channel], points: "1000000" }));
(await openWorker(relay.videoDeps())).start();

/** Batches of ten forms. */
const RUNS = extent(30, 300);

interface Damage {
  at: number;
  removed: number;
  added: Uint8Array;
  isHead: boolean;
}

const png = pngOf(16, 16, 20_000);

/** A form as `fetch` encodes it, with a boundary of its own each time. */
async function form(more: Record<string, string> = {}) {
  const data = new FormData();
  const fields = { model: "super-relay-2", prompt: "a boat", seconds: "5", ...more };
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set("input_reference", new Blob([new Uint8Array(png)]), "boat.png");
  const encoded = new Response(data);
  return {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    type: encoded.headers.get("content-type") ?? "",
  };
}

async function order(headers: Record<string, string> = {}, more: Record<string, string> = {}) {
  const { bytes, type } = await form(more);
  return relay.send("/v1/videos", { body: bytes, headers: { ...headers, "content-type": type } });
}

test("the upstream gets the file's own bytes as the first frame", async () => {
  const before = (await relay.ends()).length;
  expect((await order({}, { size: "720x1280" })).status).toBe(200);
  const sent = upstream.tasks.at(-1)?.body;
  expect(sent).toMatchObject({ resolution: "720p", ratio: "9:16", duration: 5 });
  expect(JSON.stringify(sent)).toContain(`data:image/png;base64,${png.toString("base64")}`);
  await expect.poll(async () => (await relay.ends()).length).toBe(before + 1);
});

test("two forms at once with one Idempotency-Key are one video, though their boundaries differ", async () => {
  const [tasks, ends] = [upstream.tasks.length, (await relay.ends()).length];
  const headers = { "idempotency-key": "both" };
  const answers = await Promise.all([order(headers), order(headers), order(headers)]);
  expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
  expect(answers.filter((each) => each.headers.get("idempotent-replayed") === "true").length).toBe(
    2,
  );
  const other = await order(headers, { prompt: "a ship" });
  expect([other.status, other.json.error?.code]).toEqual([422, "idempotency_key_reused"]);
  expect(upstream.tasks.length).toBe(tasks + 1);
  await expect.poll(async () => (await relay.ends()).length).toBe(ends + 1);
});

test("a client library's retry joins the order that it repeats", async () => {
  const tasks = upstream.tasks.length;
  const first = await order({}, { prompt: "retried" });
  const second = await order({ "x-stainless-retry-count": "1" }, { prompt: "retried" });
  expect(second.headers.get("idempotent-joined")).toBe("true");
  expect(second.json.id).toBe(first.json.id);
  expect(upstream.tasks.length).toBe(tasks + 1);
  await expect.poll(async () => (await relay.balance()).held).toBe(0n);
});

test("hundreds of damaged forms are never a failure of ours, and leave no hold", {
  timeout: 300_000,
}, async () => {
  const known = (await relay.ends()).length;
  const { bytes, type } = await form();
  const seen = new Map<number, number>();
  const damage = fc.record({
    at: fc.nat(bytes.length),
    removed: fc.oneof(fc.constant(0), fc.nat(60), fc.constant(bytes.length)),
    added: fc.uint8Array({ maxLength: 6 }),
    isHead: fc.boolean(),
  });
  const check = async ({ at, removed, added, isHead }: Damage) => {
    const from = isHead ? at % 700 : at;
    const body = Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from + removed)]);
    const answer = await relay.send("/v1/videos", { body, headers: { "content-type": type } });
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    expect(answer.status, answer.text).toBeLessThan(500);
    if (answer.status !== 200) expect(answer.json.error?.message).toBeTypeOf("string");
  };
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 10, maxLength: 10 }), async (damages) => {
      await Promise.all(damages.map(check));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(seen.get(400)).toBeGreaterThan(RUNS);
  const made = seen.get(200) ?? 0;
  await expect.poll(async () => (await relay.ends()).length - known).toBe(made);
  expect((await relay.balance()).held).toBe(0n);
});

test("a client that goes during the upload orders nothing", async () => {
  const web = createWebServer({
    find: relay.find,
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  const { port, close } = await listen(web.server);
  const [tasks, ends] = [upstream.tasks.length, (await relay.ends()).length];
  const { bytes, type } = await form();
  for (let sent = 100; sent < bytes.length; sent += 2500) {
    const socket = connect(port, "127.0.0.1");
    const head = `POST /v1/videos HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
    socket.write(head);
    await new Promise<void>((resolve) => socket.write(bytes.subarray(0, sent), () => resolve()));
    socket.destroy();
  }
  await expect
    .poll(() => new Promise((resolve) => web.server.getConnections((_, count) => resolve(count))))
    .toBe(0);
  expect(upstream.tasks.length).toBe(tasks);
  expect((await relay.ends()).length).toBe(ends);
  expect((await relay.balance()).held).toBe(0n);
  await close();
});
