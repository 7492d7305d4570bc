import { expect, test } from "vitest";
import { refusalReasons } from "@/lib/contract/states";
import type { FailureCode } from "@/lib/failures/failure-table";
import en from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";
import { partsOfError } from "./reason-text";

/** Failures with which work upstream ends, and the reasons that the relay itself releases with. */
const ofUpstreams: FailureCode[] = [
  "upstream_failed",
  "upstream_bad_response",
  "upstream_timeout",
  "content_rejected",
  "upstream_concurrency_exceeded",
  ...refusalReasons,
  "no_channel_available",
  "audio_review_failed",
];
const own = [
  "client_gone",
  "crash_unknown",
  "node_given_up",
  "order_interrupted",
  "overdue",
  "result_lost",
  "taken_over",
  "task_cancelled",
  "task_expired",
  "usage_missing",
];

test.each([
  ["en", en.reasons],
  ["zh-CN", chinese.reasons],
])("every reason of a release is said in words, also an unknown one: %s", (_, reasons) => {
  expect(Object.keys(reasons)).toEqual(expect.arrayContaining([...ofUpstreams, ...own, "unknown"]));
  for (const text of Object.values(reasons)) expect(text).not.toMatch(/[a-z]+_[a-z]+/);
});

test("the last failure of a channel is read as a code, which is said in words, and the upstream's words", () => {
  expect(partsOfError("upstream_failed: HTTP 503: overloaded,\ntry again")).toEqual({
    code: "upstream_failed",
    words: "HTTP 503: overloaded,\ntry again",
  });
  for (const text of ["Overloaded: try again", "overloaded", `${"a".repeat(61)}: x`])
    expect(partsOfError(text)).toBeNull();
});
