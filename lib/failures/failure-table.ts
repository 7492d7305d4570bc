/**
 * The failure table: for every way a request can fail, the HTTP status, the public `type`, and
 * whether a client library may retry. `message` is sent if the thrower gives none.
 */
import { type Failure, final, invalid, passing } from "./failure";

export const failures = {
  invalid_json: invalid("The request body is not valid JSON."),
  missing_required_parameter: invalid("A required parameter is missing."),
  invalid_value: invalid("A parameter has a value that is not allowed."),
  unsupported_value: invalid("A parameter has a value that this model does not support."),
  unknown_parameter: invalid("The request has an unknown parameter."),
  n_not_supported: invalid("Only one result per call is supported: omit `n` or send 1."),
  previous_response_not_found: invalid("The response that the request refers to is not stored."),
  context_length_exceeded: invalid(
    "The input exceeds the context window of this model. Shorten the conversation.",
  ),
  max_tokens_too_large: invalid("The output cap is larger than this model allows. Lower it."),
  invalid_image: invalid("The model could not read an image of the request."),
  invalid_tool_schema: invalid("The model could not read the schema of a tool or of the answer."),
  invalid_history: invalid(
    "The messages do not follow each other as the model needs: check tool calls and their results.",
  ),
  range_too_large: invalid(
    "The range contains too many rows to read at once. Choose a shorter range.",
  ),
  missing_api_key: final(
    401,
    "authentication_error",
    "The API key is missing. Send it as `Authorization: Bearer sk-rly-…`.",
  ),
  invalid_api_key: final(
    401,
    "authentication_error",
    "The API key is invalid. Check that you copied the complete key.",
  ),
  api_key_expired: final(
    401,
    "authentication_error",
    "The API key has expired. Create a new one on the keys page.",
  ),
  api_key_revoked: final(
    401,
    "authentication_error",
    "The API key was revoked. Create a new one on the keys page.",
  ),
  sign_in_required: final(401, "authentication_error", "Sign in first."),
  wrong_credentials: final(
    401,
    "authentication_error",
    "The email address or the password is wrong.",
  ),
  insufficient_points: final(
    402,
    "insufficient_points",
    "The account does not have enough points for this request. Top up on the points page.",
  ),
  points_held: final(
    402,
    "insufficient_points",
    "Running requests hold the points that this request needs. Try again when they have ended.",
  ),
  model_not_allowed: final(403, "permission_error", "This API key may not use this model."),
  key_budget_exhausted: final(403, "permission_error", "The budget of this API key is used up."),
  member_budget_exhausted: final(
    403,
    "permission_error",
    "The budget that the account gave you is used up.",
  ),
  tag_budget_exhausted: final(
    403,
    "permission_error",
    "The budget of a tag of this request is used up.",
  ),
  api_key_paused: final(
    403,
    "permission_error",
    "The API key is paused: it spent more in an hour than its limit. Resume it on the keys page.",
  ),
  address_not_allowed: final(403, "permission_error", "This network address is not allowed."),
  key_kind_not_allowed: final(403, "permission_error", "This endpoint takes another kind of key."),
  scope_missing: final(403, "permission_error", "The management key lacks the scope for this."),
  account_suspended: final(403, "permission_error", "The account is suspended."),
  sign_up_closed: final(403, "permission_error", "Sign-up is closed."),
  invite_invalid: final(
    403,
    "permission_error",
    "The invitation is no longer valid: it was used or revoked, or has expired.",
  ),
  link_invalid: final(
    403,
    "permission_error",
    "The link is no longer valid: it was used or replaced, has expired, or is for another user.",
  ),
  invitation_not_yours: final(
    403,
    "permission_error",
    "This invitation was sent to another address, or yours is not confirmed.",
  ),
  owns_other_account: final(
    409,
    "invalid_request_error",
    "You own another account with this sign-in. Hand it over or close it first.",
  ),
  media_link_invalid: final(
    403,
    "permission_error",
    "The address of this file is invalid. Copy the complete address from the answer.",
  ),
  proof_required: final(
    403,
    "permission_error",
    "Enter your password again: it was last checked more than 15 minutes ago.",
  ),
  human_check_failed: final(
    403,
    "permission_error",
    "The check that a person signs up was not passed, or is too old. Try again.",
  ),
  passkey_refused: final(
    403,
    "permission_error",
    "The passkey was not accepted. Try again, or use another way.",
  ),
  second_factor_needed: final(
    403,
    "permission_error",
    "A second factor is required for your account: add another one before you remove this one.",
  ),
  role_not_allowed: final(
    403,
    "permission_error",
    "Your role in this account does not allow this. Ask its owner or an administrator.",
  ),
  account_changed: final(
    409,
    "invalid_request_error",
    "This browser shows another account by now. Load the page again.",
  ),
  cross_site_request: final(
    403,
    "permission_error",
    "The request did not come from this site's own pages.",
  ),
  model_not_found: final(404, "not_found_error", "There is no such model."),
  model_retired: final(404, "not_found_error", "This model has been retired."),
  task_not_found: final(404, "not_found_error", "There is no such task."),
  response_not_found: final(404, "not_found_error", "No response with this ID."),
  route_not_found: final(404, "not_found_error", "There is no endpoint at this path."),
  not_found: final(404, "not_found_error", "Not found."),
  method_not_allowed: final(405, "invalid_request_error", "This method is not allowed here."),
  idempotency_in_progress: passing(
    409,
    "idempotency_error",
    "A request with this Idempotency-Key is still running.",
  ),
  idempotency_finished: final(
    409,
    "idempotency_error",
    "The request with this Idempotency-Key has ended, and its answer is not stored.",
  ),
  task_not_cancellable: final(409, "idempotency_error", "A running task cannot be cancelled."),
  task_not_removable: final(
    409,
    "idempotency_error",
    "A running task cannot be removed from the list.",
  ),
  already_exists: final(409, "invalid_request_error", "It already exists."),
  changed_meanwhile: final(
    409,
    "invalid_request_error",
    "Somebody else changed it after it was read.",
  ),
  email_changed_lately: final(
    409,
    "invalid_request_error",
    "The email address was changed within the last 24 hours. Until then the earlier address can undo it.",
  ),
  requests_running: final(
    409,
    "invalid_request_error",
    "Requests of this account are still running. Delete it when they have ended.",
  ),
  last_operator: final(
    409,
    "invalid_request_error",
    "This is the last operator. Make another user an operator first.",
  ),
  media_link_expired: final(
    410,
    "not_found_error",
    "The address of this file has expired, and the file is no longer stored.",
  ),
  body_too_large: final(413, "invalid_request_error", "The request body is too large."),
  unsupported_media_type: final(
    415,
    "invalid_request_error",
    "Send the body with `Content-Type: application/json`.",
  ),
  head_too_large: final(
    431,
    "invalid_request_error",
    "The address and the headers are together larger than 32 KiB.",
  ),
  range_not_satisfiable: final(
    416,
    "invalid_request_error",
    "The requested range is outside the file.",
  ),
  idempotency_key_reused: final(
    422,
    "idempotency_error",
    "This Idempotency-Key was already used with a different body.",
  ),
  key_rate_limited: passing(
    429,
    "rate_limit_error",
    "The API key has reached its limit of requests per minute.",
  ),
  page_rate_limited: passing(
    429,
    "rate_limit_error",
    "Too many requests from these pages. Try again in a moment.",
  ),
  sign_in_rate_limited: final(429, "rate_limit_error", "Too many attempts. Try again later."),
  payment_rate_limited: final(
    429,
    "rate_limit_error",
    "This account has started too many purchases within an hour. Try again later.",
  ),
  upstream_concurrency_exceeded: passing(
    429,
    "rate_limit_error",
    "The upstream accepts no more requests at the moment. Try again shortly.",
  ),
  internal_error: final(500, "internal_error", "Internal error. Nothing was charged."),
  upstream_failed: passing(
    502,
    "upstream_error",
    "The upstream request failed. Nothing was charged.",
    1,
  ),
  upstream_bad_response: final(
    502,
    "upstream_error",
    "The upstream's answer was invalid. Nothing was charged.",
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
    "No upstream is currently available for this model. Nothing was charged.",
    5,
  ),
  service_draining: passing(
    503,
    "upstream_error",
    "This server is shutting down. Send the request again.",
  ),
  service_busy: passing(503, "upstream_error", "This server is busy. Nothing was charged."),
  database_unavailable: passing(
    503,
    "upstream_error",
    "The database is currently unavailable. Nothing was charged.",
  ),
  payments_unavailable: passing(
    503,
    "upstream_error",
    "The payment provider is currently unavailable. Nothing was paid.",
    10,
  ),
  price_missing: final(
    503,
    "upstream_error",
    "The model has no price for what was ordered yet, so it cannot be used.",
  ),
  upstream_timeout: final(
    504,
    "upstream_error",
    "The upstream did not answer in time. Nothing was charged.",
  ),
  task_still_running: final(
    504,
    "upstream_error",
    "The video is not ready yet. Its task continues: get it by its id.",
  ),
} as const satisfies Record<string, Failure>;

export type FailureCode = keyof typeof failures;
