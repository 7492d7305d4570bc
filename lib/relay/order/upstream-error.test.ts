/** Tests what a client is told of a failure, and that a relay before another one takes it as it is meant. */
import { expect, test } from "vitest";
import { refusalReasons } from "../../contract/states";
import { failures } from "../../failures/failure-table";
import { failureText } from "../../http/failure-answer";
import { failureOf } from "../../upstream/failure";
import { failureOfStatus } from "../../upstream/transport/status-failure";
import { customerError } from "./upstream-error";

test.each(refusalReasons)("%s of a relay is the same at the relay before it", (code) => {
  const error = customerError(failureOf(code, "", { param: "messages" }));
  expect(error.message).toMatch(/Nothing was charged\.$/);
  const again = failureOfStatus(failures[code].status, failureText(error));
  expect(again).toMatchObject({ code, isOperatorFault: false, mayHaveCost: false });
});

test("the numbers of a refusal are told, and read again", () => {
  const long = failureOf("context_length_exceeded", "", { tokens: { asked: 9000, allowed: 8192 } });
  const cap = failureOf("max_tokens_too_large", "", { tokens: { asked: null, allowed: 4096 } });
  for (const failure of [long, cap]) {
    const error = customerError(failure);
    expect(error.message).toContain(String(failure.tokens?.allowed));
    expect(failureOfStatus(400, failureText(error)).tokens).toEqual(failure.tokens);
  }
});

test("a client waits as long as the upstream asks or as we do, whichever is longer, and at most a minute", () => {
  const seconds = (waitSeconds?: number) =>
    [
      failureOf("upstream_concurrency_exceeded", "", { isSurelyFree: true }),
      failureOf("upstream_failed", "", { isSurelyFree: true }),
      failureOf("no_channel_available", ""),
    ].map((failure) => {
      const asked = waitSeconds === undefined ? failure : { ...failure, waitSeconds };
      return customerError(asked).retryAfterSeconds;
    });
  expect(seconds()).toEqual([1, 1, 5]);
  expect(seconds(3)).toEqual([3, 3, 5]);
  expect(seconds(300)).toEqual([60, 60, 60]);
});
