import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect, newSpoolFolder, releaseOf, taskOf } from "@/testing/ledger/test-ledger";
import { openOperatorClient } from "@/testing/pages-api/operator-client";
import { opened } from "@/testing/unit/opened";
import { dialects } from "../contract/states";
import { firstOperationId, newId } from "../crypto/ids";
import { createLedger } from "../ledger/ledger";

const range = () =>
  `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
const log = async (filter = "") => {
  const { status, json } = await client.call("listRequests", { query: `?${range()}${filter}` });
  expect(status).toBe(200);
  return json as {
    requests: { entry: { id: string }; account: { email: string } }[];
    nextCursor: string | null;
  };
};

const client = await opened(openOperatorClient());
const [ann, bob] = [await client.newUser("ann"), await client.newUser("bob")];

test("requests of all accounts are listed newest first and filtered by status, account, channel and time", async () => {
  const [a, b] = [
    await client.charge(ann?.accountId ?? "", 3n),
    await client.charge(bob?.accountId ?? "", 4n),
  ];
  const open = await client.charge(bob?.accountId ?? "", null);
  const ids = async (filter: string) => (await log(filter)).requests.map(({ entry }) => entry.id);
  expect(await ids("")).toEqual([open.operationId, b.operationId, a.operationId]);
  expect((await log("")).requests.map(({ account }) => account.email)).toEqual([
    "bob@example.com",
    "bob@example.com",
    "ann@example.com",
  ]);
  expect(await ids("&status=held")).toEqual([open.operationId]);
  expect(await ids(`&account=${ann?.accountId}`)).toEqual([a.operationId]);
  expect(await ids("&channel=ch_test&status=settled")).toEqual([b.operationId, a.operationId]);
  expect(await ids("&model=none")).toEqual([]);
  await client.ledger.release(releaseOf(open));
  expect(await ids("&status=released")).toEqual([open.operationId]);
  expect(
    (
      await client.call("listRequests", {
        query: "?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z",
      })
    ).status,
  ).toBe(400);
  expect((await client.call("listRequests", { query: `?${range()}&cursor=x` })).status).toBe(400);
});

test("requests are filtered by the API in which they came, and name it", async () => {
  const asked = [...dialects, null];
  for (const dialect of asked) await client.charge(ann?.accountId ?? "", 1n, { dialect });
  for (const dialect of dialects) {
    const { requests } = await log(`&dialect=${dialect}`);
    expect(requests).toMatchObject([{ entry: { request: { dialect } } }]);
  }
  expect((await client.call("listRequests", { query: `?${range()}&dialect=x` })).status).toBe(400);
});

test("the pages of the log have no gaps and no duplicates", async () => {
  const before = (await log()).requests.length;
  for (let n = 0; n < 60; n++) await client.charge(ann?.accountId ?? "", 1n);
  const first = await log();
  const second = await log(`&cursor=${first.nextCursor}`);
  expect([first.requests.length, second.requests.length, second.nextCursor]).toEqual([
    50,
    before + 10,
    null,
  ]);
  expect(new Set([...first.requests, ...second.requests].map(({ entry }) => entry.id)).size).toBe(
    before + 60,
  );
});

test("a request is found by its own id, the ledger's id and its task's id; its task can be polled at once", async () => {
  const requestId = newId("request");
  const taskId = newId("task");
  const hold = {
    ...(await client.charge(ann?.accountId ?? "", 1n)),
    operationId: firstOperationId(Date.now()),
    requestId,
    family: "video" as const,
  };
  const wanted = { resolution: "480p", ratio: "3:4", durationSeconds: 5, generateAudio: true };
  const made = { resolution: "480p", ratio: "3:4", seconds: 5, generateAudio: true, width: null };
  const spec = { ...wanted, prompt: "nobody else's", pictures: [] };
  await client.ledger.openTask(hold, taskOf({ taskId, spec, leaseSeconds: 1 }));
  for (const id of [hold.operationId, taskId]) {
    expect((await client.call("showLoggedRequest", { id })).json).toMatchObject({
      taskId,
      polls: { count: 0, failures: 0 },
      account: { email: "ann@example.com" },
      request: { entry: { request: { made } } },
      losses: [],
      refunds: [],
    });
  }
  expect((await client.call("listAllTasks", { query: `?q=${taskId}` })).json).toMatchObject({
    tasks: [{ id: taskId, made, status: "queued", charged: null }],
  });
  const { requests } = await log();
  expect(requests[0]?.entry).toMatchObject({ id: hold.operationId, request: { made } });
  expect(requests[1]?.entry).toMatchObject({ request: { made: null } });
  expect(JSON.stringify(requests)).not.toContain("nobody else");
  await client.site.deps.pool.query(
    "update video_task set next_poll_at = now() + interval '1 hour', poll_failures = 9 where id = $1",
    [taskId],
  );
  expect((await client.call("showStuck")).json).toMatchObject({
    tasks: [{ id: taskId, pollFailures: 9 }],
    holds: [{ taskId, owner: "worker" }],
  });
  expect((await client.call("checkTask", { id: taskId })).status).toBe(200);
  const { rows } = await client.site.deps.pool.query(
    "select next_poll_at <= now() as is_due, status from video_task where id = $1",
    [taskId],
  );
  expect(rows[0]).toEqual({ is_due: true, status: "queued" });
  expect((await client.call("checkTask", { id: newId("task") })).status).toBe(404);
  for (const id of [newId("request"), newId("task"), crypto.randomUUID(), "x"])
    expect((await client.call("showLoggedRequest", { id })).status).toBe(404);
});

test("a request has its attempts and refunds, with the channel and the upstream's words only for operators", async () => {
  const hold = await client.charge(ann?.accountId ?? "", 3n);
  const { pool } = client.site.deps;
  await pool.query(
    `insert into upstream_attempt (id, operation_id, channel_id, model, upstream_model, code, status, internal, said, took_ms, ended_at)
     values (gen_random_uuid(), $1, 'ch_test', 'RelayV1', 'up', 'upstream_failed', 503, 'status 503', 'no capacity', 40, now())`,
    [hold.operationId],
  );
  const refund = { points: null, reason: "It was slow", ref: "once" };
  await client.call("refundCharge", { id: hold.operationId, body: refund });
  const attempt = { code: "upstream_failed", tookMs: 40 };
  const logged = (await client.call("showLoggedRequest", { id: hold.operationId })).json;
  expect(logged).toMatchObject({
    attempts: [{ ...attempt, status: 503, said: "no capacity", channel: { id: "ch_test" } }],
    request: { attempts: [attempt], refunds: [{ points: "0.000003", reason: "It was slow" }] },
  });
  const { request } = logged as { request: object };
  expect(JSON.stringify(request)).not.toMatch(/ch_test|no capacity|status 503/);
});

test("a dead process with open holds is shown, cannot be given up while it lives, and can be afterwards; damaged spool files are shown", async () => {
  const { databaseUrl, deps } = client.site;
  await deps.pool.query(
    "insert into node (id, store_id, lease_until) values ('node_dying', 'store_x', now() + interval '1 minute')",
  );
  const hold = await client.charge(ann?.accountId ?? "", null);
  const owner = await connect(databaseUrl);
  await owner.query("set session_replication_role = replica");
  await owner.query("update open_request set node_id = 'node_dying' where id = $1", [
    hold.operationId,
  ]);
  await owner.end();
  expect((await client.call("releaseNode", { id: "node_dying" })).status).toBe(404);
  await deps.pool.query(
    "update node set lease_until = now() - interval '1 minute' where id = 'node_dying'",
  );
  type Stuck = {
    nodes: object[];
    holds: { operationId: string; owner: string }[];
    files: object[];
  };
  const stuck = (await client.call("showStuck")).json as Stuck;
  expect(stuck.nodes).toMatchObject([{ id: "node_dying", open: 1, isHere: false }]);
  expect(stuck.holds.find(({ operationId }) => operationId === hold.operationId)).toMatchObject({
    owner: "dead",
  });
  expect(
    (await client.call("sweepLedger")).json,
    "another folder's spool may hold the end",
  ).toEqual({
    ended: 0,
  });
  expect((await client.call("releaseNode", { id: "node_dying" })).json).toEqual({ operations: 1 });
  expect((await client.call("showLoggedRequest", { id: hold.operationId })).json).toMatchObject({
    request: { entry: { request: { state: "released" } } },
    losses: [{ cause: "crash_unknown" }],
  });
  const { actions } = (await client.call("listActions", { query: "?action=node" })).json as {
    actions: object[];
  };
  expect(actions).toMatchObject([
    {
      action: "node.release",
      subject: "node_dying",
      actor: client.operator.userId,
      detail: { operations: 1 },
    },
  ]);
  const own = newSpoolFolder();
  const reader = await createLedger({ databaseUrl, spoolFolder: own, role: "tool" });
  writeFileSync(join(own, "node_x.00000000000001.00000000.spool"), "damaged\n");
  await reader.sweep();
  expect(reader.spoolState().aside).toMatchObject([
    { name: expect.stringContaining("node_x."), why: "damaged", bytes: 8 },
  ]);
  expect(readdirSync(own)).toContain("node_x.00000000000001.00000000.spool.damaged");
  await reader.close(0);
});
