import { createServer as createTcpServer } from "node:net";
import { Agent } from "undici";
import { afterAll, afterEach, expect, test } from "vitest";
import { type Received, signed, startReceiver } from "@/testing/callbacks/receiver";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { listen } from "@/testing/stage/listen";
import { newId } from "../crypto/ids";
import { fixedSecrets } from "../crypto/secrets";
import { openPool } from "../db/pool";
import { createGuardedAgent } from "../net/guarded-agent";
import { type DelivererDeps, startDeliverer } from "./deliverer";
import type { Sender } from "./keep-sending";
import { callbackSecret, sharedCallbackSecret } from "./signature";

const secret = "a secret of the installation, long enough";
const dispatcher = new Agent();
let deliverers: Sender[] = [];

const url = await createTestDatabase();
const pool = openPool(url, 4);
const client = await connect(url);
const ledger = await openTestLedger(url);
const account = await seedAccount(client, ledger, 1_000_000_000n);
afterEach(async () => {
  await Promise.all(deliverers.map((deliverer) => deliverer.close()));
  deliverers = [];
});
afterAll(async () => {
  await Promise.all([ledger.close(), client.end(), pool.end(), dispatcher.close()]);
});

async function openTask(callbackUrl: string | null, spec: object = {}, of = account) {
  const hold = holdOf(of, 1000n, { family: "video" });
  const taskId = newId("task");
  const task = {
    modelNamed: "super-relay",
    spec,
    imageUrls: [],
    callbackUrl,
    leaseOwner: "test",
    leaseSeconds: 60,
  };
  await ledger.openTask(hold, { taskId, ...task });
  return {
    taskId,
    fail: () =>
      ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" }),
  };
}

async function taskBody(_accountId: string, id: string) {
  const { rows } = await pool.query<{ status: string }>(
    "select status from video_task where id = $1",
    [id],
  );
  return rows[0]
    ? {
        id,
        model: "super-relay",
        status: rows[0].status,
        error: null,
        created_at: 7,
        updated_at: 8,
      }
    : null;
}

function start(more: Partial<DelivererDeps> = {}): void {
  deliverers.push(
    startDeliverer({
      pool,
      secrets: fixedSecrets(secret),
      dispatcher,
      taskBody,
      log: () => {},
      tickMs: 20,
      ...more,
    }),
  );
}

const rowsOf = async (taskId: string) =>
  (
    await client.query<{
      status: string;
      attempts: number;
      last_answer: string;
      delivered: boolean;
      over: boolean;
    }>(
      `select status, attempts, last_answer, delivered_at is not null as delivered, given_up_at is not null as over
         from callback_delivery where task_id = $1 order by id`,
      [taskId],
    )
  ).rows;
const waitNoMore = (taskId: string) =>
  client.query("update callback_delivery set next_attempt_at = now() where task_id = $1", [taskId]);

const signatureOf = (received: Received, under = secret, of = account) =>
  signed(received, callbackSecret(under, of.apiKeyId));
const sharedSignatureOf = (received: Received, renewals = 0) =>
  signed(received, sharedCallbackSecret(secret, account.accountId, renewals));

/** Another key of the account. */
async function seedKey(createdAt = new Date()): Promise<typeof account> {
  const apiKeyId = newId("apiKey");
  await client.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_at) values ($1, $2, 'other', sha256($3), 'hint', $4)",
    [apiKeyId, account.accountId, Buffer.from(apiKeyId), createdAt],
  );
  return { ...account, apiKeyId };
}
const revoke = ({ apiKeyId }: typeof account) =>
  client.query("update api_key set revoked_at = now() where id = $1", [apiKeyId]);
/** As an account of before each key had a secret of its own; null: of after it. */
const shareSince = (moment: Date | null) =>
  client.query("update account set shared_callbacks_since = $2 where id = $1", [
    account.accountId,
    moment,
  ]);

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
    expect(headers["webhook-signature"]).toBe(signatureOf({ headers, body }));
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

test("a callback is also signed with the previous secret while one is rotated", async () => {
  const receiver = await startReceiver(200);
  const next = "the next secret of at least thirty-two characters";
  start({ secrets: fixedSecrets(next, secret) });
  await openTask(receiver.url);
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const received of receiver.received) {
    const signatures = [next, secret].map((each) => signatureOf(received, each));
    expect(received.headers["webhook-signature"]).toBe(signatures.join(" "));
  }
  await receiver.close();
});

test("each key signs what it ordered with a secret of its own, and nothing once it is revoked", async () => {
  const receiver = await startReceiver(500, 200);
  const [one, other] = [await seedKey(), await seedKey()];
  start();
  const { taskId, fail } = await openTask(receiver.url, {}, one);
  await expect.poll(async () => (await rowsOf(taskId))[0]?.last_answer).toBe("500");
  await openTask(receiver.url, {}, other);
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received.map(({ headers }) => headers["webhook-signature"])).toEqual(
    receiver.received.map((received, place) =>
      signatureOf(received, secret, place === 0 ? one : other),
    ),
  );
  await revoke(one);
  // Neither what waits for another attempt nor a later state is sent.
  await fail();
  await waitNoMore(taskId);
  const ended = { attempts: expect.any(Number), last_answer: "key revoked", over: true };
  await expect
    .poll(() => rowsOf(taskId))
    .toEqual([
      expect.objectContaining({ ...ended, status: "queued" }),
      expect.objectContaining({ ...ended, status: "failed" }),
    ]);
  expect(receiver.received).toHaveLength(2);
  await receiver.close();
});

test("the secret that keys shared before an upgrade signs too: for 90 days, until one that could read it is revoked", async () => {
  const receiver = await startReceiver(200);
  const upgradedAt = new Date(Date.now() - 86_400_000);
  const old = await seedKey(new Date(upgradedAt.getTime() - 1000));
  const [made, gone] = [await seedKey(), await seedKey()];
  start();
  const sent = async (of = made) => {
    const { received } = receiver;
    const before = received.length;
    await openTask(receiver.url, {}, of);
    await expect.poll(() => received.length).toBe(before + 1);
    const last = received.at(-1) as Received;
    return { last, signatures: String(last.headers["webhook-signature"]).split(" ") };
  };
  const both = ({ last, signatures }: Awaited<ReturnType<typeof sent>>, renewals = 0) =>
    expect(signatures).toEqual([
      signatureOf(last, secret, made),
      sharedSignatureOf(last, renewals),
    ]);
  const ownOnly = ({ last, signatures }: Awaited<ReturnType<typeof sent>>) =>
    expect(signatures).toEqual([signatureOf(last, secret, made)]);

  await shareSince(upgradedAt);
  both(await sent());
  await client.query("update account set renewals = 1 where id = $1", [account.accountId]);
  both(await sent(), 1);
  await shareSince(new Date(Date.now() - 91 * 86_400_000));
  ownOnly(await sent());
  await shareSince(upgradedAt);
  // A key that was made later could not read it.
  await revoke(gone);
  both(await sent(), 1);
  await revoke(old);
  ownOnly(await sent());
  await shareSince(null);
  ownOnly(await sent());
  await client.query("update account set renewals = 0 where id = $1", [account.accountId]);
  await receiver.close();
});

test("a task without a callback URL makes no deliveries, and no key has the secret of another or of the account", async () => {
  const { taskId, fail } = await openTask(null);
  await fail();
  expect(await rowsOf(taskId)).toEqual([]);
  expect(callbackSecret(secret, "key_a")).not.toBe(callbackSecret(secret, "key_b"));
  expect(callbackSecret(secret, "key_a")).toMatch(/^whsec_/);
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
  const crowd = await seedAccount(client, ledger, 1_000_000_000n);
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
  await Promise.all(deliverers.splice(0).map((deliverer) => deliverer.close()));
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
  await Promise.all(deliverers.splice(0).map((deliverer) => deliverer.close()));
  expect((await rowsOf(inner.taskId))[0]).toMatchObject({ attempts: 1, last_answer: "no answer" });
  expect(innerReceiver.received).toHaveLength(0);
  noHttp.close();
  await Promise.all([hanging.close(), answering.close(), innerReceiver.close(), guarded.destroy()]);
}, 40_000);
