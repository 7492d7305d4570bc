import { type FailureCode, failures } from "../../failures/failure-table";
import type { RelayError } from "../../failures/relay-error";
import type { DialectFailure } from "../text-dialect";

/** The error body is that of chat completions: the same client library reads both. */
export function toError(error: RelayError): DialectFailure {
  const { status, type } = failures[error.code];
  const { message, param, code, fields } = error;
  return { status, body: { error: { message, type, param, code, ...fields } } };
}

/** The codes of the library's type for the error of a response. */
const publicCodes: { readonly [Code in FailureCode]?: string } = {
  upstream_concurrency_exceeded: "rate_limit_exceeded",
  key_rate_limited: "rate_limit_exceeded",
  content_rejected: "invalid_prompt",
  context_length_exceeded: "context_length_exceeded",
  invalid_image: "invalid_image",
  max_tokens_too_large: "invalid_prompt",
  invalid_tool_schema: "invalid_prompt",
  invalid_history: "invalid_prompt",
  invalid_value: "invalid_prompt",
  unsupported_value: "invalid_prompt",
  body_too_large: "invalid_prompt",
};

/** The `error` of a response that failed after its stream had begun, with our own code, too. */
export const failedError = ({ code, message }: RelayError) => ({
  code: publicCodes[code] ?? "server_error",
  message,
  relay_code: code,
});
