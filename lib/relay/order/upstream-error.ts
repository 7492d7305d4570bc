import type { Refusable } from "../../contract/channel-profile";
import { failures } from "../../failures/failure-table";
import { RelayError } from "../../failures/relay-error";
import type { UpstreamFailure } from "../../upstream/provider";

const WAIT_SECONDS_MAX = 60;
const NOTHING_CHARGED = "Nothing was charged.";

/** What of a chat request an upstream cannot read, where it is no field. */
const inWords: Readonly<Partial<Record<Refusable, string>>> = {
  developer: "the role `developer`",
  system: "instructions",
  tool_images: "images outside of the user's messages",
  named_choice: "a tool that `tool_choice` names",
  file_parts: "documents as files",
  calls_without_tools: "earlier calls of tools without `tools`",
  call_ids: "the ids of earlier calls",
  call_signature: "calls without the signature of the model's thinking",
  extra_content: "calls with the signature of the model's thinking",
  tool_schema: "the schema of a tool",
  system_later: "instructions after the first message",
  content_parts: "content in parts",
  content_null: "messages without content",
};

/** What the model does not support. */
function unsupported({ param, unread }: UpstreamFailure): string {
  const first = unread?.[0];
  if (first !== undefined) return inWords[first] ?? `\`${first}\``;
  if (param === null) return "a field of the request";
  return param === "messages" ? "a part of the messages" : `\`${param}\``;
}

/** What the client can change, with the numbers that the upstream gave, but none of its words. */
function advice(failure: UpstreamFailure): string {
  const { code, param, tokens } = failure;
  const field = param === null ? "" : `\`${param}\``;
  switch (code) {
    case "context_length_exceeded": {
      const asked = typeof tokens?.asked === "number" ? `: ${tokens.asked} tokens` : "";
      const allowed = tokens === undefined ? "" : `, and at most ${tokens.allowed} fit`;
      return `The input exceeds the context window of this model${asked}${allowed}. Shorten the conversation.`;
    }
    case "max_tokens_too_large":
      return tokens === undefined
        ? failures[code].message
        : `The output cap is larger than this model allows. Send at most ${tokens.allowed}.`;
    case "body_too_large":
      return "The request is larger than the model takes. Send fewer or smaller images, or less text.";
    case "invalid_image":
      return "The model could not read an image: check its address, its format and its size.";
    case "unsupported_value":
      if (tokens !== undefined)
        return `${field} has ${tokens.asked} items, and the model takes at most ${tokens.allowed}: send fewer.`;
      return `The model does not support ${unsupported(failure)}: leave it out, or send another value.`;
    case "invalid_value":
      return field === ""
        ? "The model rejected the request as invalid: check its parameters and the length of its messages."
        : `The model rejected ${field}: check its value.`;
    default:
      return failures[code].message;
  }
}

/** The larger of the time after which we would try again and the upstream's, within a minute. */
const waitOf = (own: number, { waitSeconds = 0 }: UpstreamFailure) =>
  Math.min(Math.max(own, waitSeconds), WAIT_SECONDS_MAX);

/** The client's error for an upstream's failure: our code and our message, never the upstream's. */
export function customerError(failure: UpstreamFailure): RelayError {
  const { code, param } = failure;
  if (failures[code].type === "invalid_request_error")
    return new RelayError(code, { message: `${advice(failure)} ${NOTHING_CHARGED}`, param });
  // The upstream may have done the work, so a client library that retries by itself might be
  // charged twice.
  if (code === "upstream_failed" && failure.mayHaveCost)
    return new RelayError(code, { headers: { "x-should-retry": "false" } });
  if (code === "upstream_concurrency_exceeded")
    return new RelayError(code, { retryAfterSeconds: waitOf(1, failure) });
  const { isRetryable, retryAfterSeconds } = failures[code];
  return isRetryable
    ? new RelayError(code, { retryAfterSeconds: waitOf(retryAfterSeconds ?? 1, failure) })
    : new RelayError(code);
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
