/**
 * Tests each refusal of the wire format, over a real exchange: whose fault it is, and whether it
 * certainly cost nothing.
 */
import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { withoutSaid } from "@/testing/upstream/without-said";
import { createJsonCaller } from "./json-caller";

let next: { status: number; body: string; hangs?: boolean; location?: string };
const caller = await opened(createJsonCaller());
const upstream = await opened(
  startUpstream((response) => {
    if (next.hangs) return;
    if (next.location) response.setHeader("location", next.location);
    sendJson(response, next.body, next.status);
  }),
);

const request = {
  method: "POST",
  path: "/x",
  body: {},
  deadlineMs: 60_000,
  answerBytesMax: 4096,
} as const;

async function failure(
  status: number,
  code: string,
  message = "secret text. Request ID: 7c1f",
  param?: string,
) {
  next = { status, body: JSON.stringify({ error: { code, message, param, type: "t" } }) };
  const answer = await caller.call(upstream.channel(), request);
  if (answer.isOk) throw new Error("It should have failed.");
  expect(withoutSaid(answer)).not.toContain("secret text");
  return answer.failure;
}

test.each([
  [400, "MissingParameter.prompt", "invalid_value"],
  [400, "InvalidParameter.size", "invalid_value"],
  [400, "InvalidImageURL.EmptyURL", "invalid_image"],
  [400, "OutofContextError", "context_length_exceeded"],
  [400, "SensitiveContentDetected.Violence", "content_rejected"],
  [400, "InputImageSensitiveContentDetected.PrivacyInformation", "content_rejected"],
  [400, "InputTextRiskDetection", "content_rejected"],
  [403, "InputVideoSensitiveContentDetected", "content_rejected"],
  [502, "content_rejected", "content_rejected"],
])("%d %s is the client's to fix: %s", async (status, code, expected) => {
  expect(await failure(status, code)).toMatchObject({
    code: expected,
    isOperatorFault: false,
    mayHaveCost: false,
  });
});

test.each([
  [401, "AuthenticationError"],
  [401, "InvalidAccountStatus"],
  [402, "insufficient_points"],
  [403, "AccessDenied"],
  [403, "AccountOverdueError"],
  [403, "OperationDenied.ServiceNotOpen"],
  [404, "InvalidEndpointOrModel.NotFound"],
  [404, "ModelNotOpen"],
  [404, "InvalidEndpointOrModel.ModelIDAccessDisabled"],
  [429, "SetLimitExceeded"],
  [429, "QuotaExceeded"],
  [400, "InvalidParameter.watermark"],
])(
  "%d %s is our fault: the operator gets an alarm and the client is not blamed",
  async (status, code) => {
    expect(await failure(status, code)).toMatchObject({
      code: "no_channel_available",
      isOperatorFault: true,
      isSurelyFree: true,
    });
  },
);

test.each([
  "RateLimitExceeded.EndpointRPMExceeded",
  "ServerOverloaded",
  "RequestBurstTooFast",
  "InflightBatchsizeExceeded",
])("429 %s is temporary", async (code) => {
  expect(await failure(429, code)).toMatchObject({
    code: "upstream_concurrency_exceeded",
    isOperatorFault: false,
    isSurelyFree: true,
  });
});

test("a full queue frees itself, although it is called a quota", async () => {
  const full = await failure(429, "QuotaExceeded", "Too many queued tasks, secret text.");
  expect(full).toMatchObject({ code: "upstream_concurrency_exceeded", isOperatorFault: false });
});

test("a failure inside the upstream is neither certainly free nor anyone's fault", async () => {
  expect(await failure(500, "InternalServiceError")).toMatchObject({
    code: "upstream_failed",
    isSurelyFree: false,
    isOperatorFault: false,
  });
  expect(await failure(503, "ServiceUnavailable")).toMatchObject({
    code: "upstream_failed",
    isSurelyFree: true,
  });
});

test("no redirect is followed, so the credential stays with its origin", async () => {
  const seen = upstream.seen.length;
  next = { status: 307, body: "", location: `${upstream.url}/elsewhere` };
  expect(await caller.call(upstream.channel(), request)).toMatchObject({
    isOk: false,
    failure: { isOperatorFault: true },
  });
  expect(upstream.seen.length).toBe(seen + 1);
});

test("an answer that grows too large is abandoned, and one that never comes ends at the deadline", async () => {
  next = { status: 200, body: JSON.stringify({ text: "x".repeat(5000) }) };
  const large = await caller.call(upstream.channel(), request);
  expect(large).toMatchObject({
    isOk: false,
    failure: { code: "upstream_bad_response", mayHaveCost: true },
  });
  next = { status: 200, body: "", hangs: true };
  const late = await caller.call(upstream.channel(), { ...request, deadlineMs: 200 });
  expect(late).toMatchObject({
    isOk: false,
    failure: { code: "upstream_timeout", mayHaveCost: true },
  });
  const poll = await caller.call(upstream.channel({ timeoutSeconds: 0.2 }), {
    ...request,
    method: "GET",
  });
  expect(poll).toMatchObject({
    isOk: false,
    failure: { code: "upstream_timeout", mayHaveCost: false },
  });
});

test("an unreachable upstream certainly cost nothing", async () => {
  const channel = upstream.channel({ baseUrl: "http://127.0.0.1:1" });
  expect(await caller.call(channel, request)).toMatchObject({
    isOk: false,
    status: 0,
    failure: { isSurelyFree: true, mayHaveCost: false },
  });
});
