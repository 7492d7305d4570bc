import { createServer as createTcpServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openDeliveries, secret } from "@/testing/callbacks/deliveries";
import { signed, startReceiver } from "@/testing/callbacks/receiver";
import { extent } from "@/testing/extent/extent";
import { listen } from "@/testing/stage/listen";
import { opened } from "@/testing/unit/opened";
import { createGuardedAgent } from "../net/guarded-agent";
import { callbackSecret } from "./signature";

const { client, account, seed, openTask, start, stop, rowsOf, waitNoMore } = await opened(
  openDeliveries(),
);
afterEach(stop);

test("each state of a task is delivered once, in order, by any number of processes, with a signature that the receiver can verify", async () => {
  const receiver = await startReceiver(200);
  for (let n = 0; n < 3; n++) start();
  const { taskId, fail } = await openTask(receiver.url);
  await expect.poll(() => receiver.received.length).toBe(1);
  await client.query("update video_task set status = 'running' where id = $1", [taskId]);
  await fail();
  await expect.poll(() => receiver.received.length).toBe(3);
  expect(receiver.received.map(({ body }) => JSON.parse(body).status)).toEqual([
    "queued",
    "running",
    "failed",
  ]);
  for (const { headers, body } of receiver.received) {
    expect(JSON.parse(body)).toMatchObject({
      id: taskId,
      model: "super-relay",
      error: null,
      created_at: 7,
    });
    expect(headers["webhook-signature"]).toBe(
      signed({ headers, body }, callbackSecret(secret, account.apiKeyId)),
    );
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  }
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  await receiver.close();
});

test("only the states that the order names are delivered", async () => {
  const receiver = await startReceiver(200);
  start();
  const { taskId, fail } = await openTask(receiver.url, { callbackStates: ["failed"] });
  await client.query("update video_task set status = 'running' where id = $1", [taskId]);
  await fail();
  await expect.poll(() => receiver.received.length).toBe(1);
  expect((await rowsOf(taskId)).map(({ status }) => status)).toEqual(["failed"]);
  await receiver.close();
});

test("a refused delivery is retried later under the same id until it is accepted; redirects are not followed", async () => {
  const receiver = await startReceiver(500, 302, 204);
  start();
  const { taskId } = await openTask(receiver.url);
  for (const answer of ["500", "302"]) {
    await expect.poll(async () => (await rowsOf(taskId))[0]?.last_answer).toBe(answer);
    const { rows } = await client.query(
      "select next_attempt_at > now() + interval '3 seconds' as later from callback_delivery where task_id = $1",
      [taskId],
    );
    expect(rows).toEqual([{ later: true }]);
    await waitNoMore(taskId);
  }
  await expect
    .poll(async () => (await rowsOf(taskId))[0])
    .toMatchObject({ attempts: 3, last_answer: "204", delivered: true, over: false });
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await receiver.close();
});

test("410 ends a delivery, the tenth failure ends it, and a later state replaces one that could not be delivered", async () => {
  const [gone, broken] = [await startReceiver(410), await startReceiver(503)];
  start();
  const first = await openTask(gone.url);
  await expect
    .poll(async () => (await rowsOf(first.taskId))[0])
    .toMatchObject({ attempts: 1, last_answer: "410", over: true });

  const second = await openTask(broken.url);
  await expect.poll(async () => (await rowsOf(second.taskId))[0]?.attempts).toBe(1);
  await second.fail();
  await waitNoMore(second.taskId);
  await expect
    .poll(async () => (await rowsOf(second.taskId)).map(({ over }) => over))
    .toEqual([true, false]);
  for (let attempt = 2; attempt <= 10; attempt++) {
    await waitNoMore(second.taskId);
    await expect
      .poll(async () => (await rowsOf(second.taskId))[1]?.attempts, { interval: 10 })
      .toBeGreaterThanOrEqual(attempt);
  }
  expect((await rowsOf(second.taskId))[1]).toMatchObject({
    attempts: 10,
    over: true,
    delivered: false,
  });
  await Promise.all([gone.close(), broken.close()]);
});

test("a receiver that hangs costs 5 seconds and delays no other; an unreachable one counts as a failed attempt", async () => {
  const [hanging, other] = [await startReceiver(0), await startReceiver(200)];
  start(extent({ patienceMs: 2000 }, {}));
  const stuck = await openTask(hanging.url);
  await expect.poll(() => hanging.received.length).toBe(1);
  const fine = await openTask(other.url);
  const unreachable = await openTask("http://127.0.0.1:1/hook");
  await expect.poll(async () => (await rowsOf(fine.taskId))[0]?.delivered).toBe(true);
  expect((await rowsOf(stuck.taskId))[0]).toMatchObject({ attempts: 0 });
  for (const { taskId } of [stuck, unreachable]) {
    await expect
      .poll(async () => (await rowsOf(taskId))[0], { timeout: 10_000 })
      .toMatchObject({ attempts: 1, last_answer: "no answer" });
  }
  await Promise.all([hanging.close(), other.close()]);
}, 20_000);

test("an account whose receivers hang takes eight places, and the callbacks of others are sent at once", async () => {
  const [hanging, other] = [await startReceiver(0), await startReceiver(200)];
  const crowd = await seed();
  for (let n = 0; n < 40; n++) await openTask(hanging.url, {}, crowd);
  start({ patienceMs: 5000 });
  start({ patienceMs: 5000 });
  await expect.poll(() => hanging.received.length).toBeGreaterThanOrEqual(8);
  const { taskId } = await openTask(other.url);
  await expect.poll(async () => (await rowsOf(taskId))[0]?.delivered).toBe(true);
  // Of two processes that begin at once, each may give it its places.
  expect(hanging.received.length).toBeLessThanOrEqual(16);
  await client.query("update callback_delivery set given_up_at = now() where account_id = $1", [
    crowd.accountId,
  ]);
  await Promise.all([hanging.close(), other.close()]);
}, 20_000);

test("all unreachable receivers look alike, in result and time: a closed port, an unknown name, an inner address, no HTTP, silence", async () => {
  const noHttp = createTcpServer((socket) => socket.end("what?\r\n\r\n"));
  const { origin } = await listen(noHttp);
  const [hanging, answering, innerReceiver] = [
    await startReceiver(0),
    await startReceiver(404),
    await startReceiver(200),
  ];
  const guarded = createGuardedAgent();
  const urls = [
    "http://127.0.0.1:1/",
    "http://no-such-host.invalid/",
    "https://127.0.0.1:1/",
    `${origin}/`,
    hanging.url,
  ];
  const reached = await openTask(answering.url);
  const tasks = await Promise.all(urls.map((url) => openTask(url)));
  const patienceMs = 500;
  const startedAt = performance.now();
  start({ patienceMs });
  await expect.poll(async () => (await rowsOf(reached.taskId))[0]?.last_answer).toBe("404");
  const rows = async () =>
    (await Promise.all(tasks.map(({ taskId }) => rowsOf(taskId)))).map(([row]) => row);
  // None of them is reported before the common time for all has passed.
  const tried = async () => (await rows()).filter((row) => row?.attempts !== 0).length;
  await expect.poll(tried, { interval: 10 }).toBeGreaterThan(0);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(patienceMs);
  const noAnswer = expect.objectContaining({ attempts: 1, last_answer: "no answer" });
  await expect.poll(rows).toEqual(urls.map(() => noAnswer));
  await stop();
  // Refused before a connection is made, and reported at once when the process stops.
  const inner = await openTask(innerReceiver.url);
  start({ dispatcher: guarded });
  await expect
    .poll(
      async () =>
        (
          await client.query(
            "select 1 from callback_delivery where task_id = $1 and lease_until is not null",
            [inner.taskId],
          )
        ).rowCount,
    )
    .toBe(1);
  await stop();
  expect((await rowsOf(inner.taskId))[0]).toMatchObject({ attempts: 1, last_answer: "no answer" });
  expect(innerReceiver.received).toHaveLength(0);
  noHttp.close();
  await Promise.all([hanging.close(), answering.close(), innerReceiver.close(), guarded.destroy()]);
}, 40_000);
