/**
 * Tests that requests which wait for another one with the same Idempotency-Key keep a hash, not
 * their bodies.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { extent } from "@/testing/extent/extent";
import { openTestRelay } from "@/testing/relay/test-relay";
import type { EndpointRow } from "../contract/endpoint";
import { fixedSecrets } from "../crypto/secrets";
import type { Incoming } from "../http/exchange";
import { jsonAnswer, serve, type UseCase } from "../http/serve";
import { createBodyMemory } from "../limits/body-memory";
import { createRunningWork } from "../limits/running-work";
import { openIdempotencyRunner } from "./idempotency-runner";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const MIB = 1024 * 1024;
const row = {
  name: "createChatCompletion",
  method: "POST",
  path: "/v1/test",
  group: "chat",
  summary: "",
  admits: ["apiKey"],
  billing: "generation",
  rate: "none",
  bodyBytesMax: 32 * MIB,
  request: z.looseObject({}),
  response: z.looseObject({}),
} as const satisfies EndpointRow;

const relay = await openTestRelay({ channels: [] });
const pools = [0, 1].map(() => new pg.Pool({ connectionString: relay.seeded.url, max: 4 }));
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await relay.close();
});

const nothing = () => {};
const log = { info: nothing, warn: nothing, error: nothing };

// Enough memory for all of them: the test measures what they retain.
const bodyMemory = createBodyMemory({ totalBytes: 1e10, accountBytes: 1e10, waitMs: 60_000 });
let arrived = 0;

/** The endpoint in one process. */
function processOf(nodeId: string, pool: pg.Pool, work: UseCase<typeof row>) {
  const idempotencyRunner = openIdempotencyRunner(
    { relayPool: pool, secrets: fixedSecrets("test") },
    nodeId,
    log,
  );
  const keyAuthenticator = { identify: () => relay.setting.principal };
  return serve(
    row,
    {
      keyAuthenticator,
      sessionPrincipal: () => Promise.reject(new Error("no session asks here")),
      keyLimiter: { take: () => ({ isAllowed: true, limit: 1, remaining: 1, resetSeconds: 1 }) },
      log,
      idempotencyRunner,
      running: createRunningWork(),
      bodyMemory,
      admitTags: async () => {},
    },
    work,
  );
}

function incomingOf(key: string, bytes: () => Uint8Array): Incoming {
  const headers: Record<string, string> = {
    "idempotency-key": key,
    "content-type": "application/json",
  };
  return {
    method: "POST",
    path: row.path,
    query: "",
    header: (name) => headers[name],
    receive: async (_limitBytes, take) => {
      arrived++;
      await take(bytes());
    },
    onGone: nothing,
  };
}

/** Of a body, and how much all that wait may hold together, which is less than their bodies. */
const [BODY_MIB, MOST_MB] = extent([8, 30], [30, 100]);
const text = Buffer.from(JSON.stringify({ text: "x".repeat(BODY_MIB * MIB) }));
/** Each has bytes of its own. */
const large = () => Buffer.from(text);
const memory = () => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Waits until this number of bodies has arrived and none is in memory any more. */
const dropped = (bodies: number) =>
  vi.waitFor(() => expect([arrived, bodyMemory.bytes]).toEqual([bodies, 0]), { timeout: 20_000 });

test.each([
  ["the same process", extent(10, 20)],
  ["another process", 6],
] as const)(
  `in %s %d waiters with bodies of ${BODY_MIB} MiB hold less than ${MOST_MB} MB`,
  async (where, count) => {
    let finish = nothing;
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const work: UseCase<typeof row> = async (call) => {
      call.rawBody.release();
      await ended;
      return jsonAnswer(call, { done: true });
    };
    await relay.pool.query(
      "insert into node (id, store_id, lease_until) values ('node_one', 's', now() + interval '1 hour'), ('node_two', 's', now() + interval '1 hour') on conflict do nothing",
    );
    const first = processOf("node_one", pools[0] as pg.Pool, work);
    const waiting =
      where === "the same process" ? first : processOf("node_two", pools[1] as pg.Pool, work);
    arrived = 0;
    const leading = first(incomingOf(where, large));
    await expect
      .poll(
        async () =>
          (await relay.pool.query("select from idempotent_request where key = $1", [where]))
            .rowCount,
        { timeout: 20_000 },
      )
      .toBe(1);
    await dropped(1);
    const before = memory();
    const waiters = [];
    for (let n = 1; n <= count; n++) {
      waiters.push(waiting(incomingOf(where, large)));
      await dropped(n + 1);
    }
    await expect.poll(() => (memory() - before) / 1e6).toBeLessThan(MOST_MB);
    finish();
    const answers = await Promise.all([leading, ...waiters]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set(['200 {"done":true}']),
    );
  },
  180_000,
);

test("a waiting request whose large body was dropped must be sent again when it would have to run; a small one runs", async () => {
  for (const [size, status] of [
    [BODY_MIB * MIB, 409],
    [100, 200],
  ] as const) {
    const key = `fails ${size}`;
    await relay.pool.query(
      `insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, node_id)
       values ('acct_a', $1, 'createChatCompletion', sha256($2), false, 'req_first', gen_random_uuid(), 'node_one')`,
      [key, Buffer.from(JSON.stringify({ text: "y".repeat(size) }))],
    );
    const run = processOf("node_two", pools[1] as pg.Pool, (call) =>
      jsonAnswer(call, { ran: true }),
    );
    let looks = 0;
    const countLook = () => {
      looks += 1;
    };
    pools[1]?.on("acquire", countLook);
    const answered = run(
      incomingOf(key, () => Buffer.from(JSON.stringify({ text: "y".repeat(size) }))),
    );
    // It tried to write the row, found the other one, and looks again: it waits.
    await expect.poll(() => looks).toBeGreaterThan(2);
    pools[1]?.off("acquire", countLook);
    await relay.pool.query("delete from idempotent_request where key = $1", [key]);
    const answer = await answered;
    expect(answer.status).toBe(status);
    if (status === 409) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  }
}, 30_000);
