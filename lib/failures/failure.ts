/** One way in which a request can fail, as the failure table states it. */
type FailureType =
  | "invalid_request_error"
  | "authentication_error"
  | "insufficient_points"
  | "permission_error"
  | "not_found_error"
  | "idempotency_error"
  | "rate_limit_error"
  | "upstream_error"
  | "internal_error";

export interface Failure {
  readonly status: number;
  readonly type: FailureType;
  /** True only if sending the same request again can help and can do no harm. */
  readonly isRetryable: boolean;
  /**
   * Whole seconds after which a retry is worthwhile, if the thrower gives none; null if it never
   * is.
   */
  readonly retryAfterSeconds: number | null;
  readonly message: string;
}

/** A failure that the same request would meet again. */
export const final = (status: number, type: FailureType, message: string): Failure => ({
  status,
  type,
  isRetryable: false,
  retryAfterSeconds: null,
  message,
});
/** A request that must be changed. */
export const invalid = (message: string): Failure => final(400, "invalid_request_error", message);
/** A failure that may be over after `retryAfterSeconds`. */
export const passing = (
  status: number,
  type: FailureType,
  message: string,
  retryAfterSeconds = 2,
): Failure => ({
  status,
  type,
  isRetryable: true,
  retryAfterSeconds,
  message,
});
