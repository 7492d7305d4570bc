/** Tests images that nobody waits for, and images got by their ids, with a real ledger and files. */
import { afterEach, expect, test } from "vitest";
import { startReceiver } from "@/testing/callbacks/receiver";
import { extent } from "@/testing/extent/extent";
import { pngOf } from "@/testing/media/files";
import type { TestAnswer } from "@/testing/relay/answers";
import {
  address,
  delivering,
  itemOf,
  pointsOf,
  sendImage,
  startImageUpstream,
} from "@/testing/relay/images";
import { endElsewhere, mortal, verdict } from "@/testing/relay/mortal";
import { openTestRelay, type TestRelay, type TestRelayOptions } from "@/testing/relay/test-relay";
import { type Script, sendJson, type TestUpstream } from "@/testing/upstream/test-upstream";
import { openCallbacks } from "../../callbacks/open-callbacks";
import { fixedSecrets } from "../../crypto/secrets";
import { imageTasks } from "./image-task";

let relay: TestRelay;
const closing: (() => unknown)[] = [];
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
afterEach(closeAll);

async function upstreamOf(...given: Parameters<typeof startImageUpstream>): Promise<TestUpstream> {
  const upstream = await startImageUpstream(...given);
  closing.push(upstream.close);
  return upstream;
}
async function openRelay(options: TestRelayOptions): Promise<void> {
  relay = await openTestRelay(options);
  closing.push(relay.close);
}
async function open(script?: Script): Promise<TestUpstream> {
  const upstream = await upstreamOf(script);
  await openRelay({ channels: [upstream.channel()] });
  return upstream;
}
const path = (id: unknown) => `/v1/images/generations/${String(id)}`;
const get = async (id: unknown) => (await relay.send(path(id))).json;
const remove = (id: unknown) => relay.send(path(id), { method: "DELETE" });
const ended = async (id: unknown) => {
  await expect
    .poll(async () => (await get(id)).status, { timeout: 20_000 })
    .toMatch(/succeeded|failed/);
  return get(id);
};
/** The orders that an upstream got. */
const ordersOf = ({ seen }: TestUpstream) => seen.filter(({ path: at }) => !at.includes("results"));

/** An upstream that answers when it is let go. */
function held(then: Script = delivering()): { script: Script; letGo: () => void } {
  let letGo = () => {};
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const script: Script = async (response, request, count) => {
    if (!request.path.startsWith("/results/")) await waiting;
    await then(response, request, count);
  };
  return { script, letGo };
}

async function orderLater(body: object = {}, headers: Record<string, string> = {}) {
  return relay.send("/v1/images/generations", {
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox", ...body }),
    headers,
  });
}

test("an order with async is answered with 202 at once, and its image is got by its id and our link", async () => {
  const { script, letGo } = held();
  const upstream = await open(script);
  const answer = await orderLater({ async: true });
  const { id } = answer.json;
  expect([answer.status, answer.json.status, answer.json.size]).toEqual([
    202,
    "queued",
    "2048x2048",
  ]);
  expect(answer.headers.get("location")).toBe(path(id));
  expect(answer.headers.get("x-relay-task-id")).toBe(id);
  await expect.poll(() => upstream.seen.length).toBe(1);
  expect((await get(id)).status).toMatch(/queued|running/);
  letGo();
  const image = await ended(id);
  const tokens = 16_384;
  expect(image).toMatchObject({
    id,
    model: "super-relay-img",
    status: "succeeded",
    error: null,
    usage: { generated_images: 1, output_tokens: tokens },
    data: [{ size: "2048x2048" }],
  });
  const { pathname, search } = new URL((image.data as { url: string }[])[0]?.url ?? "");
  const file = await relay.fetch(pathname + search, { headers: { authorization: "" } });
  expect(Buffer.from(await file.arrayBuffer()).equals(pngOf(2048, 2048))).toBe(true);
  expect(await relay.ends()).toMatchObject([
    { outcome: "settled", amount: pointsOf(tokens) * 1e6, losses: [] },
  ]);
});

test("the header Prefer: respond-async does the same, with any other preference", async () => {
  await open();
  const answer = await orderLater({}, { prefer: "wait=10, Respond-Async" });
  expect([answer.status, answer.headers.get("preference-applied")]).toEqual([202, "respond-async"]);
  expect((await ended(answer.json.id)).status).toBe("succeeded");
});

test("the image of a call that waited is got by the id of its request", async () => {
  await open();
  const made = await sendImage(relay);
  const image = await get(made.headers.get("x-request-id"));
  expect(image).toMatchObject({ status: "succeeded", usage: made.json.usage });
  expect(itemOf({ ...made, json: image }).url).toBe(itemOf(made).url);
});

test("the list has both kinds, the newest first, and its filters choose among them", async () => {
  await open();
  const waited = (await sendImage(relay)).headers.get("x-request-id");
  const { id } = (await orderLater({ async: true })).json;
  await ended(id);
  const list = async (query = "") => (await relay.send(`/v1/images/generations${query}`)).json;
  const idsOf = ({ items }: TestAnswer["json"]) =>
    (items as { id: string }[]).map((each) => each.id);
  const all = await list();
  expect([idsOf(all), all.total]).toEqual([[id, waited], 2]);
  expect(idsOf(await list("?page_size=1&page_num=2"))).toEqual([waited]);
  expect(idsOf(await list(`?filter.task_ids=${String(id)}`))).toEqual([id]);
  expect(idsOf(await list("?filter.status=failed"))).toEqual([]);
  expect(idsOf(await list("?filter.model=super-relay-img"))).toEqual([id, waited]);
  const tasks = await relay.send("/v1/contents/generations/tasks");
  expect(tasks.json).toEqual({ items: [], total: 0 });
  expect((await relay.send(`/v1/contents/generations/tasks/${String(id)}`)).status).toBe(404);
});

test("an image that has ended is removed from the list, one that is being made is not cancelled, and another account's is not found", async () => {
  const { script, letGo } = held();
  const upstream = await open(script);
  const { id } = (await orderLater({ async: true })).json;
  await expect.poll(() => upstream.seen.length).toBe(1);
  const refused = await remove(id);
  expect([refused.status, refused.json.error?.code]).toEqual([409, "task_not_cancellable"]);
  expect(refused.json.error?.message).toMatch(/^The image was sent to its upstream/);
  letGo();
  await ended(id);
  expect(await relay.ends()).toMatchObject([{ outcome: "settled", losses: [] }]);
  const other = await relay.send(path(id), { headers: { authorization: "Bearer other" } });
  expect([other.status, other.json.error?.code]).toEqual([404, "task_not_found"]);
  expect((await remove(id)).status).toBe(200);
  expect((await relay.send(path(id))).status).toBe(404);
  expect((await relay.send(path("req_x'--"))).status).toBe(404);
  const { rows } = await relay.pool.query(
    "select i.spec ? 'prompt' or t.spec ? 'prompt' as kept from image_result i join video_task t using (operation_id)",
  );
  expect(rows).toEqual([{ kept: false }]);
});

test("an image that nobody has sent yet is cancelled and costs nothing", async () => {
  const upstream = await upstreamOf();
  await openRelay({ channels: [upstream.channel()], wrapVideo: mortal(2).video });
  const { id } = (await orderLater({ async: true })).json;
  const beside = await openTestRelay({ channels: [upstream.channel()], beside: relay });
  closing.push(beside.close);
  const cancel = () => beside.send(path(id), { method: "DELETE" });
  expect((await get(id)).status).toBe("queued");
  // As long as its process may be sending it, it is not certain.
  const early = await cancel();
  expect([early.status, early.json.error?.message]).toEqual([
    409,
    expect.stringContaining("is being sent"),
  ]);
  await relay.pool.query("update video_task set lease_until = now() - interval '1 second'");
  expect((await cancel()).status).toBe(200);
  expect(await get(id)).toMatchObject({ status: "cancelled", error: { code: "task_cancelled" } });
  expect(await relay.ends()).toMatchObject([{ outcome: "released", amount: 0, losses: [] }]);
  expect(ordersOf(upstream)).toEqual([]);
});

test("an image that fails is told of with its reason, and costs nothing", async () => {
  const code = "OutputImageSensitiveContentDetected";
  await open((response) => sendJson(response, JSON.stringify({ data: [{ error: { code } }] })));
  const { id } = (await orderLater({ async: true })).json;
  const image = await ended(id);
  expect(image).toMatchObject({ status: "failed", error: { code: "content_rejected" } });
  expect(await relay.ends()).toMatchObject([{ outcome: "released", amount: 0, losses: [] }]);
});

test("an upstream that certainly did nothing is followed by another one", async () => {
  const first = await upstreamOf(
    (response) => sendJson(response, '{"error":{"code":"AccountOverdueError"}}', 403),
    { priority: 1 },
  );
  const second = await upstreamOf();
  await openRelay({ channels: [first.channel(), second.channel()] });
  expect(await ended((await orderLater({ async: true })).json.id)).toMatchObject({
    status: "succeeded",
  });
  expect([first.seen.length, ordersOf(second).length]).toEqual([1, 1]);
});

test("an order with async is refused as any other, before anything is held", async () => {
  await open();
  const cases = [
    [{ async: true, response_format: "b64_json" }, "unsupported_value", "response_format"],
    [{ callback_url: "https://a.example/" }, "unsupported_value", "callback_url"],
    [{ async: true, n: 2 }, "n_not_supported", "n"],
    [{ async: "yes" }, "invalid_value", "async"],
  ] as const;
  for (const [body, code, param] of cases)
    expect((await orderLater(body)).json.error, JSON.stringify(body)).toMatchObject({
      code,
      param,
    });
  expect(await relay.ends()).toEqual([]);
  relay.setting.price = null;
  expect((await orderLater({ async: true })).status).toBe(503);
});

test("an order that is sent again with its key is one order, and its answer is 202 again", async () => {
  const upstream = await open();
  const headers = { "idempotency-key": "one" };
  const first = await orderLater({ async: true }, headers);
  await ended(first.json.id);
  const again = await orderLater({ async: true }, headers);
  expect([again.status, again.json.id]).toEqual([202, first.json.id]);
  expect([ordersOf(upstream).length, (await relay.ends()).length]).toEqual([1, 1]);
});

test("each state of an image is called back, or those that are chosen; the last one has its link", async () => {
  await open();
  const { url, received, close } = await startReceiver();
  closing.push(close);
  const got = () => received.map(({ body }) => JSON.parse(body));
  const { media, pool } = relay;
  const tasks = imageTasks({ media, pool, imageProvider: { generate: () => Promise.reject() } });
  const callbacks = openCallbacks({
    pool,
    changes: relay.video.changes,
    networks: "any",
    secrets: fixedSecrets("s".repeat(32)),
    taskBody: async (accountId, id) => {
      const task = await relay.video.table.find(accountId, id);
      return task ? tasks.body(task.operationId) : null;
    },
    log: () => {},
  });
  callbacks.start();
  const { id } = (await orderLater({ async: true, callback_url: url })).json;
  await expect.poll(() => got().at(-1)?.status, { timeout: 20_000 }).toBe("succeeded");
  expect(got().map(({ status }) => status)).toEqual(["queued", "running", "succeeded"]);
  expect(got().at(-1)?.data).toEqual((await get(id)).data);
  const chosen = { async: true, callback_url: url, callback_states: ["succeeded", "failed"] };
  const later = (await orderLater(chosen)).json.id;
  await expect.poll(() => got().slice(3)).toMatchObject([{ id: later, status: "succeeded" }]);
  await callbacks.close();
}, 30_000);

test("an order whose process dies before it was sent is sent by another one; with pictures inside the request it is released", async () => {
  const picture = `data:image/png;base64,${pngOf(64, 64).toString("base64")}`;
  const cases = [
    [address, "succeeded", [address]],
    [picture, "failed", []],
  ] as const;
  for (const [image, status, sent] of cases) {
    const upstream = await upstreamOf();
    await openRelay({ channels: [upstream.channel()], wrapVideo: mortal(2).video });
    const { id } = (await orderLater({ async: true, image })).json;
    await relay.ends();
    await endElsewhere(relay);
    expect([image, (await get(id)).status]).toEqual([image, status]);
    expect(ordersOf(upstream).map(({ body }) => body.image)).toEqual(sent);
    await closeAll();
  }
});

test("killed at each step of hold, intent, call, copy and settle, an image's task ends once", async () => {
  const seen = new Set<string>();
  for (let steps = 0, survived = false; !survived; steps += extent(3, 1)) {
    const upstream = await upstreamOf();
    const { isDead, video, maker } = mortal(steps);
    await openRelay({ channels: [upstream.channel()], wrapVideo: video, wrapMaker: maker });
    const answer = await orderLater({ async: true });
    await relay.ends();
    survived = !isDead();
    await endElsewhere(relay);
    expect(ordersOf(upstream).length).toBeLessThanOrEqual(1);
    const end = await verdict(relay);
    seen.add(end);
    if (answer.status === 202) expect((await get(answer.json.id)).status).toBe(end);
    await closeAll();
    if (steps > 60) throw new Error("it never survives");
  }
  expect([...seen].sort()).toEqual(["failed", "none", "succeeded"]);
}, 240_000);
