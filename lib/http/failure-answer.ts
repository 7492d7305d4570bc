/** Errors as the client sees them: the status, the headers and the error body. */
import { isInTheWay, isOutage, isUnstorable } from "../db/database-errors";
import { failures } from "../failures/failure-table";
import { isRelayError, RelayError } from "../failures/relay-error";
import type { Outgoing } from "./exchange";

export const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Turns anything thrown into an error that may be shown. Errors that are not ours become
 * `database_unavailable`, `service_busy`, `invalid_value` or `internal_error`.
 */
export function publicError(error: unknown): RelayError {
  if (isRelayError(error)) return error;
  if (isOutage(error))
    return new RelayError("database_unavailable", { cause: error, retryAfterSeconds: 2 });
  // Nothing was done: others had the rows.
  if (isInTheWay(error))
    return new RelayError("service_busy", { cause: error, retryAfterSeconds: 1 });
  if (isUnstorable(error))
    return new RelayError("invalid_value", {
      message: "A text contains a character that cannot be stored.",
      fault: { name: "unstorable" },
      cause: error,
    });
  return new RelayError("internal_error", { cause: error });
}

/** Who reads an answer. The error body for pages also has the error's fault. */
export type Reader = "client" | "page";

/** The JSON text of an error body, which is also the `data:` of an error in a stream. */
export function failureText(error: RelayError, reader: Reader = "client"): string {
  const { type } = failures[error.code];
  const { message, param, code, fields, fault } = error;
  return JSON.stringify({
    error: { message, type, param, code, ...fields, ...(reader === "page" && fault && { fault }) },
  });
}

/**
 * The whole answer for an error. `headers` are those that every answer has; they are completed in
 * place. Every answer says whether to try again: `x-should-retry: false`, or `retry-after` with the
 * seconds to wait.
 */
export function failureAnswer(
  error: RelayError,
  headers: Record<string, string>,
  body: string = failureText(error),
): Outgoing & { readonly body: string } {
  const failure = failures[error.code];
  headers["content-type"] = JSON_TYPE;
  if (!failure.isRetryable) headers["x-should-retry"] = "false";
  if (failure.status === 401) headers["www-authenticate"] = "Bearer";
  const isFinal = error.headers["x-should-retry"] === "false";
  const seconds = error.retryAfterSeconds ?? (isFinal ? null : failure.retryAfterSeconds);
  if (seconds !== null) headers["retry-after"] = String(Math.max(1, Math.ceil(seconds)));
  Object.assign(headers, error.headers);
  return { status: failure.status, headers, body };
}
