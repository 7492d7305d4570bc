/** Errors as the Messages API reports them. */

import { failures } from "../../failures/failure-table";
import type { RelayError } from "../../failures/relay-error";
import type { DialectFailure } from "../text-dialect";

/** By status. Everything else below 500 is the request's fault, and above it ours. */
const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
};

/** Where our own words would name only the other way to send a key. */
const NO_KEY = "Send your API key as `x-api-key: sk-rly-…` or `Authorization: Bearer sk-rly-…`.";

/** Clients look for these words to shorten the conversation. */
const TOO_LONG = "prompt is too long";

/** Our words, in the form that clients of this API look for. */
function messageOf({ code, message }: RelayError): string {
  if (code === "missing_api_key") return NO_KEY;
  return code === "context_length_exceeded" ? `${TOO_LONG}: ${message}` : message;
}

/** The body of an error answer, which is also the data of an `error` event. */
export function failureBodyOf(error: RelayError, requestId: string) {
  const { code, param, fields } = error;
  const { status } = failures[code];
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return {
    type: "error",
    error: { ...fields, type, message: messageOf(error), code, param },
    request_id: requestId,
  } as const;
}

export const toError = (error: RelayError, requestId: string): DialectFailure => ({
  status: failures[error.code].status,
  body: failureBodyOf(error, requestId),
});
