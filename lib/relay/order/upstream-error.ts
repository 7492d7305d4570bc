import { RelayError } from "../../errors";
import type { UpstreamFailure } from "../../upstream/provider";

/** The client's error for an upstream's failure: our code and our message, never the upstream's. */
export function customerError(failure: UpstreamFailure): RelayError {
  const { code, param } = failure;
  if (code === "invalid_value") {
    const message =
      param === null
        ? "The model rejected the request as invalid: check its parameters and the length of its messages. Nothing was charged."
        : `The model rejected \`${param}\`: check its value. Nothing was charged.`;
    return new RelayError("invalid_value", { message, param });
  }
  // The upstream may have done the work, so a client library that retries by itself might be
  // charged twice.
  if (code === "upstream_failed" && failure.mayHaveCost)
    return new RelayError(code, { headers: { "x-should-retry": "false" } });
  const isWorthWaiting =
    code === "upstream_concurrency_exceeded" || code === "no_channel_available";
  return new RelayError(
    code,
    isWorthWaiting ? { retryAfterSeconds: code === "no_channel_available" ? 5 : 1 } : {},
  );
}

/** The client's error for an answer that the relay cut after it had started. */
export function cutError({ code }: UpstreamFailure): RelayError {
  const why =
    code === "upstream_timeout"
      ? "it took too long"
      : "the rest of the upstream's answer was invalid";
  const message = `The relay ended the answer: ${why}. The usage that the upstream reports is charged and shown in your usage.`;
  return new RelayError(code, { message });
}
