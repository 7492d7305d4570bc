import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selfSigned } from "@/testing/stage/certificate";
import { freePort } from "@/testing/stage/listen";
import { opened } from "@/testing/unit/opened";
import { openChatCalls, plainBody } from "@/testing/upstream/chat-calls";
import { startConnectProxy, startSocksProxy } from "@/testing/upstream/outbound-proxies";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  streamType,
} from "@/testing/upstream/test-upstream";
import type { UpstreamFailure } from "../provider";
import { createOpenAiChat } from "./chat-provider";

const calls = await opened(openChatCalls());
const { failed, provider, upstreamWith } = calls;

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
  [
    "400 naming no plain field",
    error(400, { code: "x", param: "a b <script>" }),
    { ...answers, code: "invalid_value" },
  ],
  ["400 naming the model", error(400, { code: "x", param: "model" }), ours],
  [
    "400 for content",
    error(400, { code: "InputTextSensitiveContentDetected" }),
    { ...answers, code: "content_rejected" },
  ],
  [
    "400 for content by policy",
    error(400, { code: "content_policy_violation" }),
    { ...answers, code: "content_rejected" },
  ],
  ["401", error(401, { code: "AuthenticationError" }), ours],
  ["402", error(402, { code: "x" }), ours],
  ["403 for an overdue account", error(403, { code: "AccountOverdueError" }), ours],
  ["404 for a model", error(404, { code: "model_not_found" }), ours],
  ["408", error(408, {}), { ...answers, code: "upstream_failed" }],
  [
    "429 for the rate",
    error(429, { code: "RateLimitExceeded.EndpointRPMExceeded" }),
    { ...free, code: "upstream_concurrency_exceeded" },
  ],
  ["429 for a quota", error(429, { code: "insufficient_quota" }), ours],
  ["500", error(500, { code: "InternalServiceError" }), { ...answers, code: "upstream_failed" }],
  ["503", error(503, {}), { ...free, code: "upstream_failed" }],
  [
    "200 with an error inside",
    error(200, { code: "InternalServiceError" }),
    { ...answers, code: "upstream_failed" },
  ],
  [
    "200 that is not JSON",
    (response) => sendJson(response, "secret text"),
    { ...answers, code: "upstream_bad_response", mayHaveCost: true },
  ],
  [
    "200 with a page",
    (response) => sendJson(response, "<html>secret text"),
    { ...answers, code: "upstream_bad_response", isSurelyFree: true, isOperatorFault: true },
  ],
  [
    "200 without choices",
    (response) => sendJson(response, '{"choices":[]}'),
    { ...answers, code: "upstream_bad_response", mayHaveCost: true },
  ],
  [
    "200 nested too deep",
    (response) =>
      sendJson(
        response,
        `{"choices":[{"message":{}}],"deep":${"[".repeat(9999)}${"]".repeat(9999)}}`,
      ),
    { ...answers, code: "upstream_bad_response", mayHaveCost: true },
  ],
  [
    "a cut connection",
    (response) => void response.destroy(),
    { ...answers, code: "upstream_failed", mayHaveCost: true },
  ],
  [
    "a cut body",
    (response) =>
      void response
        .writeHead(200, { "content-length": 500 })
        .write('{"choices"', () => response.destroy()),
    { ...answers, code: "upstream_failed", mayHaveCost: true },
  ],
])("%s gets its own failure, and its text is dropped", async (_, script, expected) => {
  const failure = await failed(script);
  expect(failure).toMatchObject(expected);
  expect(failure.internal).not.toContain("secret text");
});

test("a redirect is not followed, and the credential goes to its own origin only", async () => {
  const other = await upstreamWith((response) => sendJson(response, completion("stolen")));
  const failure = await failed(
    (response) =>
      void response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end(),
  );
  expect(failure).toMatchObject({ code: "upstream_bad_response", isOperatorFault: true });
  expect(other.seen).toEqual([]);
});

test("an upstream with an untrusted certificate is refused before anything is sent, and accepted when the certificate is trusted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-tls-"));
  const files = selfSigned(folder);
  const certificates = {
    key: readFileSync(files.key, "utf8"),
    cert: readFileSync(files.cert, "utf8"),
  };
  rmSync(folder, { recursive: true });
  const upstream = await upstreamWith(
    (response) => sendJson(response, completion("x")),
    certificates,
  );
  const result = await provider.complete(upstream.channel(), plainBody);
  expect(result).toMatchObject({
    isOk: false,
    failure: { code: "upstream_failed", isSurelyFree: true, mayHaveCost: false },
  });
  expect(upstream.seen).toEqual([]);
  const trusting = createOpenAiChat({ certificates: certificates.cert });
  expect((await trusting.complete(upstream.channel(), plainBody)).isOk).toBe(true);
  const proxies = { http: await startConnectProxy(), socks5: await startSocksProxy() };
  for (const [scheme, { port, tunnels, close }] of Object.entries(proxies)) {
    const proxied = upstream.channel({ proxy: `${scheme}://127.0.0.1:${port}` });
    expect((await trusting.complete(proxied, plainBody)).isOk).toBe(true);
    expect(await provider.complete(proxied, plainBody)).toMatchObject({
      failure: { isOperatorFault: true, isSurelyFree: true },
    });
    expect(tunnels).toHaveLength(2);
    await close();
  }
  await trusting.close();
});

test("a refused connection and an unknown host certainly cost nothing", async () => {
  const port = await freePort();
  const upstream = await upstreamWith(() => {});
  for (const baseUrl of [`http://127.0.0.1:${port}`, "http://nowhere.invalid/v1"]) {
    const result = await provider.complete(upstream.channel({ baseUrl }), plainBody);
    expect(result).toMatchObject({
      isOk: false,
      failure: { code: "upstream_failed", isSurelyFree: true, mayHaveCost: false },
    });
  }
});

test("silence, silence after the head, and a trickle end at the channel's own timeout", async () => {
  const trickle: Script = async (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    while (!response.destroyed) {
      response.write(" ");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const scripts: Script[] = [
    () => {},
    (response) => void response.writeHead(200).flushHeaders(),
    trickle,
  ];
  const started = performance.now();
  const failures = await Promise.all(
    scripts.map((script) => failed(script, { timeoutSeconds: 1 })),
  );
  for (const failure of failures)
    expect(failure).toMatchObject({
      code: "upstream_timeout",
      mayHaveCost: true,
      isSurelyFree: false,
    });
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("a stop ends every running call as one that may have cost something", async () => {
  const own = createOpenAiChat();
  const upstream = await upstreamWith((response, { body: { stream: isStream } }) => {
    if (isStream) response.writeHead(200, streamType).write(chunk({ content: "a" }));
  });
  const plain = own.complete(upstream.channel(), plainBody);
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
  expect(await plain).toMatchObject({
    isOk: false,
    failure: { code: "upstream_failed", mayHaveCost: true },
  });
  await own.close();
});
