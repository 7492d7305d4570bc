/** Tests traces of the relay's requests, as a collector receives them over HTTP. */
import type { IncomingHttpHeaders } from "node:http";
import { afterEach, expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { saying, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { endpoints } from "../contract/endpoints";
import { answerRequest } from "../http/fetch-lane";
import { createProviders } from "../upstream/wiring/create-providers";
import { openTracer } from "./open-tracer";
import { traceEndpoint, traceProviders } from "./trace-relay";
import type { Tracer } from "./tracer";

interface Received {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { key: string; value: Record<string, unknown> }[];
  readonly status: { code?: number; message?: string };
}

let answerStatus = 200;
let isSilent = false;
const received: Received[] = [];
const heads: IncomingHttpHeaders[] = [];
const problems: string[] = [];
const tracers: Tracer[] = [];

const collector = await opened(
  startUpstream((response, { headers, path, text }) => {
    if (isSilent) return;
    heads.push({ ...headers, path });
    if (answerStatus === 200)
      received.push(...JSON.parse(text).resourceSpans[0].scopeSpans[0].spans);
    sendJson(response, "{}", answerStatus);
  }),
);
const upstream = await opened(startUpstream(saying("hi", usageOf(1, 1))));
afterEach(async () => {
  for (const tracer of tracers.splice(0)) await tracer.close();
  received.length = heads.length = problems.length = upstream.seen.length = 0;
  answerStatus = 200;
  isSilent = false;
});

async function tracerOf(ratio = 1): Promise<Tracer> {
  const onProblem = (reason: string) => void problems.push(reason);
  const headers = "x-team=a%20b, api-key=secret%3D1";
  const tracer = await openTracer({
    endpoint: collector.url,
    headers,
    serviceName: "relay",
    instanceId: "node_1",
    ratio,
    onProblem,
  });
  tracers.push(tracer);
  return tracer;
}

const flush = async () => {
  for (const tracer of tracers.splice(0)) await tracer.close();
};

/**
 * Sends one traced request that makes a plain and a streamed call upstream; returns what the
 * collector received.
 */
async function request(tracer: Tracer, headers: Record<string, string> = {}): Promise<Received[]> {
  const providers = createProviders(() => tracer.traceparent());
  const { chat } = traceProviders(tracer, providers);
  const channel = upstream.channel();
  const traced = traceEndpoint(tracer, endpoints.createChatCompletion, async () => {
    await chat.complete(channel, "{}");
    await new Promise<void>((resolve) => {
      const listener = {
        onChunk() {},
        onBatchEnd() {},
        onStall() {},
        onCut() {},
        onEnd: () => resolve(),
      };
      chat.stream(channel, '{"stream":true}', listener);
    });
    return { status: 200, headers: { "x-request-id": "req_1" }, body: "done" };
  });
  await answerRequest(
    () => traced,
    new Request("http://relay.test/v1/chat/completions", { method: "POST", headers }),
  );
  await flush();
  await providers.close();
  return received;
}

test("a request's spans reach the collector as one trace, and the upstream can continue it", async () => {
  const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
  const spans = await request(await tracerOf(), {
    traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
  });
  expect(spans.map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual([
    "POST /v1/chat/completions 2",
    "upstream 3",
    "upstream 3",
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]));
  const server = spans.find(({ kind }) => kind === 2) as Received;
  expect(server.parentSpanId).toBe(caller.spanId);
  const calls = spans.filter(({ kind }) => kind === 3);
  for (const { parentSpanId } of calls) expect(parentSpanId).toBe(server.spanId);
  expect(upstream.seen.map(({ headers }) => headers.traceparent).sort()).toEqual(
    calls.map(({ spanId }) => `00-${caller.traceId}-${spanId}-01`).sort(),
  );
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThan(BigInt(startTimeUnixNano));
  expect(server.attributes).toContainEqual({
    key: "http.response.status_code",
    value: { intValue: 200 },
  });
  expect(server.attributes).toContainEqual({
    key: "relay.request_id",
    value: { stringValue: "req_1" },
  });
  expect(heads[0]).toMatchObject({
    path: "/v1/traces",
    "x-team": "a b",
    "api-key": "secret=1",
    "content-type": "application/json",
  });
});

test.each([
  [endpoints.createMessage, undefined, "messages"],
  [endpoints.createImage, "mcp", "mcp"],
  [endpoints.createImage, undefined, undefined],
] as const)("the span of a request names its dialect: %#", async (row, dialect, said) => {
  const answer = async () => ({ status: 200, headers: {}, body: null });
  await traceEndpoint(
    await tracerOf(),
    row,
    answer,
  )({
    method: row.method,
    path: row.path,
    query: "",
    ...(dialect === undefined ? {} : { dialect }),
    header: () => undefined,
    receive: async () => {},
    onGone() {},
  });
  await flush();
  const names = received[0]?.attributes.filter(({ key }) => key === "relay.dialect");
  expect(names?.map(({ value }) => value.stringValue)).toEqual(said === undefined ? [] : [said]);
});

test("an unsampled caller's trace stays unsampled, and the ratio drops others; both decisions are passed upstream", async () => {
  const traceId = "0af7651916cd43dd8448eb2100000000";
  expect(
    await request(await tracerOf(), { traceparent: `00-${traceId}-b7ad6b7169203331-00` }),
  ).toEqual([]);
  expect(
    await request(await tracerOf(0.5), { traceparent: `00-${traceId}-b7ad6b7169203331-01` }),
  ).toEqual([]);
  expect(upstream.seen).toHaveLength(4);
  for (const { headers } of upstream.seen)
    expect(headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
});

test("an invalid traceparent starts a new trace", async () => {
  const tracer = await tracerOf();
  const begin = { name: "one", kind: "server", attributes: {} } as const;
  const traceOf = (header: string | undefined) =>
    tracer.run(
      tracer.beginRequest(begin, header),
      () => /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(tracer.traceparent() ?? "")?.[1],
    );
  const known = [
    `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    `01-${"a".repeat(32)}-${"b".repeat(16)}-01-more`,
  ];
  for (const header of known) expect(traceOf(header), header).toBe("a".repeat(32));
  const bad = [
    "",
    "x",
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-${"a".repeat(32)}-${"0".repeat(16)}-01`,
    `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    `00-${"a".repeat(32)}-${"b".repeat(16)}-01-more`,
    `00-${"A".repeat(32)}-${"b".repeat(16)}-01`,
  ];
  for (const header of [undefined, ...bad])
    expect(traceOf(header), header).toMatch(/^(?!a{32}|A{32}|0{32})[0-9a-f]{32}$/);
  expect(tracer.traceparent()).toBeUndefined();
});

test("a collector that refuses or does not answer costs spans, never requests: the queue is bounded and its drops are counted", async () => {
  answerStatus = 503;
  const tracer = await tracerOf();
  const { counts } = tracer;
  const begin = { name: "one", kind: "server", attributes: {} } as const;
  for (let count = 0; count < 6000; count++) tracer.beginRequest(begin, undefined).end();
  expect(counts.dropped).toBe(6000 - 4096);
  await flush();
  expect(counts).toMatchObject({ dropped: 6000, exported: 0 });
  expect(problems).toEqual(["Export failed with retryable status"]);
});

test("a collector's permanent refusal is logged once, with its status, and stops nothing", async () => {
  answerStatus = 400;
  const tracer = await tracerOf();
  for (let count = 0; count < 600; count++)
    tracer.beginRequest({ name: "one", kind: "server", attributes: {} }, undefined).end();
  await flush();
  expect(tracer.counts).toMatchObject({ dropped: 600, exported: 0 });
  expect(problems).toEqual(["status 400"]);
});

test("a span ends once", async () => {
  const tracer = await tracerOf();
  const span = tracer.beginRequest({ name: "one", kind: "server", attributes: {} }, undefined);
  span.end("broken_off");
  span.end();
  await flush();
  expect(received).toHaveLength(1);
  expect(received[0]?.status).toEqual({ code: 2, message: "broken_off" });
});
