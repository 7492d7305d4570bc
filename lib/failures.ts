/**
 * The failure table: for every way a request can fail, the HTTP status, the public `type`, and
 * whether a client library may retry. `message` is sent if the thrower gives none.
 */
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

interface Failure {
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

const final = (status: number, type: FailureType, message: string): Failure => ({
  status,
  type,
  isRetryable: false,
  retryAfterSeconds: null,
  message,
});
const passing = (
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

export const failures = {
  invalid_json: final(400, "invalid_request_error", "The request body is not valid JSON."),
  missing_required_parameter: final(
    400,
    "invalid_request_error",
    "A required parameter is missing.",
  ),
  invalid_value: final(
    400,
    "invalid_request_error",
    "A parameter has a value that is not allowed.",
  ),
  unsupported_value: final(
    400,
    "invalid_request_error",
    "A parameter has a value that this model does not support.",
  ),
  unknown_parameter: final(
    400,
    "invalid_request_error",
    "The request has a parameter that is not known here.",
  ),
  n_not_supported: final(
    400,
    "invalid_request_error",
    "Only one result per call is made here: leave `n` out or send 1.",
  ),
  previous_response_not_found: final(
    400,
    "invalid_request_error",
    "The response that this one refers to is not stored here.",
  ),
  range_too_large: final(
    400,
    "invalid_request_error",
    "The range holds more than can be read at once. Choose a shorter one.",
  ),
  missing_api_key: final(
    401,
    "authentication_error",
    "Send your API key as `Authorization: Bearer sk-rly-…`.",
  ),
  invalid_api_key: final(
    401,
    "authentication_error",
    "The API key is not valid. Check that it was copied whole.",
  ),
  api_key_expired: final(
    401,
    "authentication_error",
    "The API key has expired. Make a new one on the points page.",
  ),
  api_key_revoked: final(
    401,
    "authentication_error",
    "The API key was revoked. Make a new one on the points page.",
  ),
  sign_in_required: final(401, "authentication_error", "Sign in first."),
  wrong_credentials: final(
    401,
    "authentication_error",
    "The email address or the password is not right.",
  ),
  insufficient_points: final(
    402,
    "insufficient_points",
    "There are not enough points for this request. Top up on the points page.",
  ),
  points_held: final(
    402,
    "insufficient_points",
    "Running work holds the points this request needs. Try again when it has ended.",
  ),
  model_not_allowed: final(403, "permission_error", "This API key may not use the model."),
  key_budget_exhausted: final(403, "permission_error", "The budget of this API key is used up."),
  api_key_paused: final(
    403,
    "permission_error",
    "The API key was paused: it spent more in an hour than its limit. Let it go on, on the points page.",
  ),
  account_suspended: final(403, "permission_error", "The account is suspended."),
  sign_up_closed: final(403, "permission_error", "New accounts are not open here."),
  invite_invalid: final(
    403,
    "permission_error",
    "The invitation is not valid any more: it was used, taken back, or has expired.",
  ),
  media_link_invalid: final(
    403,
    "permission_error",
    "The address of this file is not valid. Copy it whole from the answer it came in.",
  ),
  proof_required: final(
    403,
    "permission_error",
    "Give your password again: the last proof is more than 15 minutes old.",
  ),
  cross_site_request: final(
    403,
    "permission_error",
    "The request did not come from this site's own pages.",
  ),
  model_not_found: final(404, "not_found_error", "There is no such model."),
  task_not_found: final(404, "not_found_error", "There is no such task."),
  response_not_found: final(404, "not_found_error", "There is no such response."),
  route_not_found: final(404, "not_found_error", "There is nothing at this address."),
  not_found: final(404, "not_found_error", "There is no such thing here."),
  method_not_allowed: final(405, "invalid_request_error", "This address does not take the method."),
  idempotency_in_progress: passing(
    409,
    "idempotency_error",
    "A request with this Idempotency-Key is still running.",
  ),
  idempotency_finished: final(
    409,
    "idempotency_error",
    "The request with this Idempotency-Key has ended; its answer is not stored.",
  ),
  task_not_cancellable: final(
    409,
    "idempotency_error",
    "A task that runs already cannot be cancelled.",
  ),
  task_not_removable: final(
    409,
    "idempotency_error",
    "A task that goes on cannot be removed from the list.",
  ),
  already_exists: final(409, "invalid_request_error", "It exists already."),
  media_link_expired: final(
    410,
    "not_found_error",
    "The address of this file has expired, and the file is no longer kept.",
  ),
  body_too_large: final(413, "invalid_request_error", "The request body is too large."),
  unsupported_media_type: final(
    415,
    "invalid_request_error",
    "Send the body as `Content-Type: application/json`.",
  ),
  range_not_satisfiable: final(
    416,
    "invalid_request_error",
    "The file does not have the range of bytes asked for.",
  ),
  idempotency_key_reused: final(
    422,
    "idempotency_error",
    "This Idempotency-Key was used with another body.",
  ),
  key_rate_limited: passing(
    429,
    "rate_limit_error",
    "The API key sent more requests this minute than it may.",
  ),
  page_rate_limited: passing(
    429,
    "rate_limit_error",
    "Too many requests from these pages. Wait a moment, then try again.",
  ),
  sign_in_rate_limited: final(
    429,
    "rate_limit_error",
    "Too many attempts. Wait a while before the next.",
  ),
  payment_rate_limited: final(
    429,
    "rate_limit_error",
    "This account has begun as many purchases as it may in an hour. Wait a while before the next.",
  ),
  upstream_concurrency_exceeded: passing(
    429,
    "rate_limit_error",
    "The upstream takes no more requests at this moment.",
  ),
  internal_error: final(500, "internal_error", "Something went wrong here. Nothing was charged."),
  upstream_failed: passing(
    502,
    "upstream_error",
    "The upstream could not answer. Nothing was charged.",
    1,
  ),
  upstream_bad_response: final(
    502,
    "upstream_error",
    "The upstream's answer could not be used. Nothing was charged.",
  ),
  content_rejected: final(
    502,
    "upstream_error",
    "The upstream rejected the content. Nothing was charged.",
  ),
  audio_review_failed: final(
    502,
    "upstream_error",
    "The generated audio did not pass the copyright review. Nothing was charged.",
  ),
  no_channel_available: passing(
    503,
    "upstream_error",
    "No upstream is available for this model now. Nothing was charged.",
    5,
  ),
  service_draining: passing(
    503,
    "upstream_error",
    "This server is about to stop. Send the request again.",
  ),
  service_busy: passing(
    503,
    "upstream_error",
    "This server has too much to do at this moment. Nothing was charged.",
  ),
  database_unavailable: passing(
    503,
    "upstream_error",
    "The database cannot be reached at this moment. Nothing was charged.",
  ),
  payments_unavailable: passing(
    503,
    "upstream_error",
    "The payment provider cannot be reached at this moment. Nothing was paid.",
    10,
  ),
  price_missing: final(503, "upstream_error", "The model has no price yet, so it cannot be sold."),
  upstream_timeout: final(
    504,
    "upstream_error",
    "The upstream did not answer in time. Nothing was charged.",
  ),
  task_still_running: final(
    504,
    "upstream_error",
    "The video is not ready yet. Its task goes on: fetch it by its id.",
  ),
} as const satisfies Record<string, Failure>;

export type FailureCode = keyof typeof failures;
