import type { FailureCause } from "../contract/states";
import { keysOf } from "../records";

const reasons: Readonly<Record<Exclude<FailureCause, "server">, readonly string[]>> = {
  upstream: [
    "upstream_failed",
    "upstream_bad_response",
    "upstream_concurrency_exceeded",
    "no_channel_available",
    "usage_missing",
    "result_lost",
  ],
  timeout: ["upstream_timeout", "task_expired"],
  review: ["content_rejected", "audio_review_failed"],
  client: ["client_gone", "task_cancelled", "api_key_paused", "invalid_value", "unsupported_value"],
};

/** The cause of a release by its reason in the ledger; `server` for all that is ours. */
export const failureCauseOf = (reason: string): FailureCause =>
  keysOf(reasons).find((cause) => reasons[cause].includes(reason)) ?? "server";
