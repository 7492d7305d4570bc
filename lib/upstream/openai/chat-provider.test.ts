import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Channel, ChatEnd, ChatResult, JsonObject, UpstreamFailure } from "../provider";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
  usageChunk,
  usageOf,
} from "../testing-upstream";
import { createOpenAiChat } from "./chat-provider";

const provider = createOpenAiChat();
const upstreams: TestUpstream[] = [];
afterAll(async () => {
  await provider.close();
  await Promise.all(upstreams.map((upstream) => upstream.close()));
});

async function upstreamWith(script: Script): Promise<TestUpstream> {
  const upstream = await startUpstream(script);
  upstreams.push(upstream);
  return upstream;
}

const body = '{"model":"upstream-name","messages":[]}';

async function complete(script: Script, overrides: Partial<Channel> = {}): Promise<ChatResult> {
  return provider.complete((await upstreamWith(script)).channel(overrides), body);
}

interface Streamed {
  readonly chunks: JsonObject[];
  readonly end: ChatEnd;
  readonly failure: UpstreamFailure | null;
}

function stream(channel: Channel): Promise<Streamed> {
  const chunks: JsonObject[] = [];
  return new Promise((resolve) => {
    provider.stream(channel, body, {
      onChunk: (one) => chunks.push(one),
      onBatchEnd: () => {},
      onStall: () => {},
      onCut: () => {},
      onEnd: (end, failure) => resolve({ chunks, end, failure }),
    });
  });
}

const streamed = async (script: Script, overrides: Partial<Channel> = {}) => stream((await upstreamWith(script)).channel(overrides));

const failed = async (script: Script, overrides: Partial<Channel> = {}): Promise<UpstreamFailure> => {
  const result = await complete(script, overrides);
  if (result.isOk) throw new Error("it did not fail");
  return result.failure;
};

const error =
  (status: number, member: object): Script =>
  (response) =>
    sendJson(response, JSON.stringify({ error: member }), status);

const answers = { isSurelyFree: false, mayHaveCost: false, isOperatorFault: false, param: null };
const free = { ...answers, isSurelyFree: true };
const ours = { ...free, code: "no_channel_available" as const, isOperatorFault: true };

test.each<[string, Script, Partial<UpstreamFailure>]>([
  [
    "400 naming a field",
    error(400, { code: "InvalidParameter", message: "secret text", param: "messages[0].role" }),
    { ...answers, code: "invalid_value", param: "messages[0].role" },
  ],
  ["400 naming no plain field", error(400, { code: "x", param: "a b <script>" }), { ...answers, code: "invalid_value" }],
  ["400 naming the model", error(400, { code: "x", param: "model" }), ours],
  ["400 for content", error(400, { code: "InputTextSensitiveContentDetected" }), { ...answers, code: "content_rejected" }],
  ["400 for content by policy", error(400, { code: "content_policy_violation" }), { ...answers, code: "content_rejected" }],
  ["401", error(401, { code: "AuthenticationError" }), ours],
  ["402", error(402, { code: "x" }), ours],
  ["403 for an overdue account", error(403, { code: "AccountOverdueError" }), ours],
  ["404 for a model", error(404, { code: "model_not_found" }), ours],
  ["408", error(408, {}), { ...answers, code: "upstream_failed" }],
  ["429 for the rate", error(429, { code: "RateLimitExceeded.EndpointRPMExceeded" }), { ...free, code: "upstream_concurrency_exceeded" }],
  ["429 for a quota", error(429, { code: "insufficient_quota" }), ours],
  ["500", error(500, { code: "InternalServiceError" }), { ...answers, code: "upstream_failed" }],
  ["503", error(503, {}), { ...free, code: "upstream_failed" }],
  ["200 with an error inside", error(200, { code: "InternalServiceError" }), { ...answers, code: "upstream_failed" }],
  ["200 that is not JSON", (response) => sendJson(response, "<html>"), { ...answers, code: "upstream_bad_response", mayHaveCost: true }],
  [
    "200 without choices",
    (response) => sendJson(response, '{"choices":[]}'),
    { ...answers, code: "upstream_bad_response", mayHaveCost: true },
  ],
  [
    "200 nested too deep",
    (response) => sendJson(response, `{"choices":[{"message":{}}],"deep":${"[".repeat(9999)}${"]".repeat(9999)}}`),
    { ...answers, code: "upstream_bad_response", mayHaveCost: true },
  ],
  ["a cut connection", (response) => void response.destroy(), { ...answers, code: "upstream_failed", mayHaveCost: true }],
  [
    "a cut body",
    (response) => void response.writeHead(200, { "content-length": 500 }).write('{"choices"', () => response.destroy()),
    { ...answers, code: "upstream_failed", mayHaveCost: true },
  ],
])("%s is told apart, and its text goes nowhere", async (_, script, expected) => {
  const failure = await failed(script);
  expect(failure).toMatchObject(expected);
  expect(failure.internal).not.toContain("secret text");
});

test("a redirect is not followed, and the credential goes to its own origin only", async () => {
  const other = await upstreamWith((response) => sendJson(response, completion("stolen")));
  const failure = await failed((response) => void response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end());
  expect(failure).toMatchObject({ code: "upstream_bad_response", isOperatorFault: true });
  expect(other.seen).toEqual([]);
});

test("an upstream whose certificate nobody vouches for is refused before anything is sent, and accepted when its own is trusted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-tls-"));
  const files = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "1",
      "-keyout",
      files.key,
      "-out",
      files.cert,
      ...subject,
    ],
    { stdio: "ignore" },
  );
  const certificates = { key: readFileSync(files.key, "utf8"), cert: readFileSync(files.cert, "utf8") };
  rmSync(folder, { recursive: true });
  const upstream = await startUpstream((response) => sendJson(response, completion("x")), certificates);
  upstreams.push(upstream);
  const result = await provider.complete(upstream.channel(), body);
  expect(result).toMatchObject({ isOk: false, failure: { code: "upstream_failed", isSurelyFree: true, mayHaveCost: false } });
  expect(upstream.seen).toEqual([]);
  const trusting = createOpenAiChat({ certificates: certificates.cert });
  expect((await trusting.complete(upstream.channel(), body)).isOk).toBe(true);
  await trusting.close();
});

test("a refused connection and an unknown host surely cost nothing", async () => {
  const probe = createServer().listen(0);
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const upstream = await upstreamWith(() => {});
  for (const baseUrl of [`http://127.0.0.1:${port}`, "http://nowhere.invalid/v1"]) {
    const result = await provider.complete(upstream.channel({ baseUrl }), body);
    expect(result).toMatchObject({ isOk: false, failure: { code: "upstream_failed", isSurelyFree: true, mayHaveCost: false } });
  }
});

test("silence, silence after the head, and a trickle end at the channel's own time-out", async () => {
  const trickle: Script = async (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    while (!response.destroyed) {
      response.write(" ");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const scripts: Script[] = [() => {}, (response) => void response.writeHead(200).flushHeaders(), trickle];
  const started = performance.now();
  const failures = await Promise.all(scripts.map((script) => failed(script, { timeoutSeconds: 1 })));
  for (const failure of failures) expect(failure).toMatchObject({ code: "upstream_timeout", mayHaveCost: true, isSurelyFree: false });
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("a stream that trickles bytes without an event ends at the channel's own time-out", async () => {
  const result = await streamed(
    async (response) => {
      response.writeHead(200, streamType);
      response.write(chunk({ content: "a" }));
      while (!response.destroyed) {
        response.write("d");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    { timeoutSeconds: 1 },
  );
  expect(result.failure).toMatchObject({ code: "upstream_timeout", mayHaveCost: true });
  expect(result.chunks).toHaveLength(1);
});

test("a stream is whole with [DONE], with a finish reason at a clean end, and when cut after its usage; otherwise it broke off", async () => {
  const head: Script = (response) => void response.writeHead(200, streamType);
  const say =
    (...texts: string[]): Script =>
    (response, request, count) => {
      head(response, request, count);
      response.end(texts.join(""));
    };
  const cut =
    (...texts: string[]): Script =>
    (response, request, count) => {
      head(response, request, count);
      response.write(texts.join(""), () => setTimeout(() => response.destroy(), 50));
    };
  const finish = chunk({}, {}, "stop");
  const usage = usageChunk(usageOf(1, 2));
  const counted = { usage: { inputTokens: 1, outputTokens: 2 } };
  expect(await streamed(say(chunk({ content: "a" }), finish, usage, "data: [DONE]\n\n"))).toMatchObject({
    failure: null,
    end: { ...counted, hasContent: true, upstreamRef: "up-1" },
  });
  expect(await streamed(say(chunk({ content: "a" }), finish, usage))).toMatchObject({ failure: null, end: counted });
  expect(await streamed(say(chunk({ content: "a" }), finish))).toMatchObject({
    failure: null,
    end: { usage: null, usageFault: "missing" },
  });
  expect(await streamed(cut(chunk({ content: "a" }), finish, usage))).toMatchObject({ failure: null, end: counted });
  const broken = { code: "upstream_failed", mayHaveCost: true };
  expect(await streamed(cut(chunk({ content: "a" }), finish))).toMatchObject({ failure: broken });
  expect(await streamed(say(chunk({ content: "a" })))).toMatchObject({ failure: broken });
  // Usage that comes with a chunk in the middle is not the usage of the whole answer.
  expect(await streamed(cut(chunk({ content: "a" }, { usage: usageOf(1, 1) })))).toMatchObject({ failure: broken });
  expect(await streamed(say("data: nonsense\n\n"))).toMatchObject({ failure: { code: "upstream_bad_response", mayHaveCost: true } });
  expect(await streamed(say('data: {"error":{"code":"content_filter"}}\n\n'))).toMatchObject({ failure: { code: "content_rejected" } });
  expect(await streamed((response) => sendJson(response, completion("x")))).toMatchObject({ failure: { code: "upstream_bad_response" } });
});

test("a stream that is held back stops taking bytes, and goes on where it was", async () => {
  let written = 0;
  const piece = chunk({ content: "x".repeat(16_000) });
  const upstream = await upstreamWith(async (response) => {
    response.writeHead(200, streamType);
    for (let sent = 0; sent < 1000; sent++) {
      written++;
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
    }
    response.end(`${chunk({}, {}, "stop")}data: [DONE]\n\n`);
  });
  let chunks = 0;
  const ended = new Promise<UpstreamFailure | null>((resolve) => {
    const control = provider.stream(upstream.channel(), body, {
      onChunk: () => {
        if (++chunks === 10) {
          control.pause();
          setTimeout(() => {
            expect(written).toBeLessThan(1000);
            control.resume();
          }, 300);
        }
      },
      onBatchEnd: () => {},
      onStall: () => {},
      onCut: () => {},
      onEnd: (_, failure) => resolve(failure),
    });
  });
  expect(await ended).toBeNull();
  expect(chunks).toBe(1001);
});

test("a stop ends every call that runs, as one that may have cost something", async () => {
  const own = createOpenAiChat();
  const upstream = await upstreamWith((response, { body: { stream: isStream } }) => {
    if (isStream) response.writeHead(200, streamType).write(chunk({ content: "a" }));
  });
  const plain = own.complete(upstream.channel(), body);
  const broken = new Promise<UpstreamFailure | null>((resolve) => {
    const onChunk = () => own.abortAll();
    own.stream(upstream.channel(), '{"stream":true}', {
      onChunk,
      onBatchEnd: () => {},
      onStall: () => {},
      onCut: () => {},
      onEnd: (_, failure) => resolve(failure),
    });
  });
  expect(await broken).toMatchObject({ code: "upstream_failed", mayHaveCost: true });
  expect(await plain).toMatchObject({ isOk: false, failure: { code: "upstream_failed", mayHaveCost: true } });
  await own.close();
});
