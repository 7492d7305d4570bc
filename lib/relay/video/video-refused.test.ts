/**
 * Tests that a caller whose order was refused is never charged, whatever the database does with the
 * statements that it received.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { faultsOf } from "@/testing/ledger/faults-of";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { startVideoUpstream, type VideoUpstream } from "@/testing/upstream/video-upstream";
import { createVideoWorker } from "./video-worker";

const TASKS = "/v1/contents/generations/tasks";
const timings = { batchPatienceMs: 300, holdPatienceInFlightMs: 200, endPatienceMs: 300 };
const bounds = { parallelMax: 10, claimMax: 10, idleMs: 5 };
const body = JSON.stringify({ model: "super-relay-2", content: [{ type: "text", text: "a cat" }] });

let upstream: VideoUpstream;
let proxy: DatabaseProxy;
/** The process that takes the orders. Its database is behind the proxy. */
let relay: TestRelay;
/** Another process, which survives. */
let survivor: TestRelay;

beforeEach(async () => {
  upstream = await startVideoUpstream();
  const through = async (url: string) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  };
  relay = await openTestRelay({
    channels: [upstream.channel],
    through,
    points: "100000",
    ledgerTimings: timings,
  });
  survivor = await openTestRelay({ channels: [upstream.channel], beside: relay });
  // Opens the connections before anything fails, as in a process that has served for a while.
  await relay.video.table.statusesOf([]);
});
afterEach(async () => {
  await proxy.stop();
  await Promise.all([relay.close(), survivor.close()]);
  await upstream.close();
});

const order = (headers = {}, to = relay) => to.send(TASKS, { body, headers });
const rows = async (): Promise<
  { status: string; submit_state: string; error_code: string | null }[]
> =>
  (
    await survivor.pool.query(
      "select status, submit_state, error_code from video_task order by created_at",
    )
  ).rows;
const stateOf = async () =>
  (await rows()).map(({ status, submit_state }) => `${status} ${submit_state}`);

async function runWorkerElsewhere(): Promise<void> {
  await survivor.pool.query(
    "update video_task set lease_until = now() - interval '1 second', next_poll_at = now()",
  );
  const worker = createVideoWorker(survivor.videoDeps(), bounds);
  worker.start();
  await expect
    .poll(async () => (await rows()).filter(({ status }) => /queued|running/.test(status)), {
      timeout: 8000,
    })
    .toEqual([]);
  await worker.stop(2000);
}

async function expectNothingCharged(): Promise<void> {
  expect(await survivor.balance()).toEqual({ available: 100_000_000_000n, held: 0n });
  expect(await faultsOf(survivor.pool)).toEqual([]);
}

const opens = (request: Buffer) => request.includes("ledger_open_task");
const intends = (request: Buffer) => request.includes("submit_state = 'intent', submits");

/** Stalls the database at the first request for which `begins` is true, and orders meanwhile. */
async function orderWhileStalled(
  begins: (request: Buffer) => boolean,
  headers = {},
): Promise<Awaited<ReturnType<typeof order>>> {
  proxy.stallsAt = begins;
  const answer = await order(headers);
  proxy.stallsAt = () => false;
  return answer;
}

test("an order that is written after its caller was refused is released and never sent upstream, also when its process is dead", async () => {
  const refused = await orderWhileStalled(opens);
  expect([refused.status, refused.json.error?.code]).toEqual([503, "database_unavailable"]);
  expect(await stateOf()).toEqual([]);
  proxy.thawAndKill(opens);
  await expect.poll(stateOf).toEqual(["queued none"]);
  await runWorkerElsewhere();
  expect(upstream.tasks).toHaveLength(0);
  expect(await rows()).toEqual([
    { status: "failed", submit_state: "none", error_code: "order_interrupted" },
  ]);
  await expectNothingCharged();
});

test("an order whose intent is written after its caller was refused is released and never sent upstream", async () => {
  const refused = await orderWhileStalled(intends);
  expect([refused.status, refused.json.error?.code]).toEqual([503, "database_unavailable"]);
  expect(await stateOf()).toEqual(["queued none"]);
  proxy.thawAndKill(intends);
  await expect.poll(stateOf).toEqual(["queued intent"]);
  await runWorkerElsewhere();
  expect(upstream.tasks).toHaveLength(0);
  await expectNothingCharged();
});

test("a living process releases a refused order by itself", async () => {
  const refused = await orderWhileStalled(intends);
  expect(refused.status).toBe(503);
  proxy.thaw();
  await expect.poll(stateOf, { timeout: 5000 }).toEqual([expect.stringMatching(/^failed /)]);
  expect((await survivor.ends()).map(({ losses }) => losses)).toEqual([[]]);
  expect(upstream.tasks).toHaveLength(0);
  await expectNothingCharged();
});

test("an order that the upstream has accepted is never refused to its caller: its id is saved when the database is back", async () => {
  proxy.stallsAt = (request) => request.includes("'accepted', upstream_ref");
  const ordered = order();
  await expect.poll(() => upstream.tasks.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  proxy.stallsAt = () => false;
  proxy.thaw();
  const answer = await ordered;
  expect(answer.status).toBe(200);
  await expect.poll(stateOf).toEqual(["queued accepted"]);
  await runWorkerElsewhere();
  expect((await rows())[0]?.status).toBe("succeeded");
  expect((await survivor.ends()).map(({ outcome }) => outcome)).toEqual(["settled"]);
});

test("an order that another process released before it was sent is refused to its caller", async () => {
  proxy.stallsAt = intends;
  const ordered = order();
  await expect.poll(stateOf).toEqual(["queued none"]);
  await runWorkerElsewhere();
  proxy.stallsAt = () => false;
  proxy.thaw();
  const answer = await ordered;
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).not.toBeNull();
  expect(upstream.tasks).toHaveLength(0);
  await expectNothingCharged();
});

test("a retry with the same Idempotency-Key sends the unsent order, or a new one, and gets one video", async () => {
  const headers = { "idempotency-key": "again" };
  const refused = await orderWhileStalled(opens, headers);
  expect(refused.status).toBe(503);
  proxy.thawAndKill(opens);
  await expect.poll(stateOf).toEqual(["queued none"]);
  await survivor.pool.query(
    "update node set lease_until = now() - interval '1 second' where id = $1",
    [relay.ledger.nodeId],
  );
  await survivor.pool.query("update video_task set lease_until = now() - interval '1 second'");
  const retried = await order(headers, survivor);
  expect(retried.status).toBe(200);
  await runWorkerElsewhere();
  expect(upstream.tasks).toHaveLength(1);
  expect(
    (await rows()).filter(({ status }) => status !== "failed").map(({ status }) => status),
  ).toEqual(["succeeded"]);
  expect((await survivor.ends()).filter(({ outcome }) => outcome === "settled")).toHaveLength(1);
  expect((await order(headers, survivor)).json.id).toBe(retried.json.id);
});

test("a doubled statement orders one video and charges it once", async () => {
  proxy.doublesRequest = opens;
  const answer = await order();
  expect([answer.status, proxy.doubled]).toEqual([200, 1]);
  await runWorkerElsewhere();
  expect(upstream.tasks).toHaveLength(1);
  expect((await survivor.ends()).map(({ outcome }) => outcome)).toEqual(["settled"]);
});
