/** Which failures of the failure table each endpoint may answer with. */
import type { FailureCode } from "../failures/failure-table";
import type { EndpointRow } from "./endpoint";

const ofKeyed: FailureCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "api_key_expired",
  "api_key_revoked",
  "api_key_paused",
  "account_suspended",
  "address_not_allowed",
  "key_kind_not_allowed",
  "key_rate_limited",
  "service_busy",
  "database_unavailable",
];
const ofBody: FailureCode[] = [
  "invalid_json",
  "missing_required_parameter",
  "invalid_value",
  "body_too_large",
  "unsupported_media_type",
];
const ofModel: FailureCode[] = [
  "unsupported_value",
  "model_not_allowed",
  "model_not_found",
  "model_retired",
  "price_missing",
];
const ofGeneration: FailureCode[] = [
  "unknown_parameter",
  "n_not_supported",
  "insufficient_points",
  "points_held",
  "key_budget_exhausted",
  "member_budget_exhausted",
  "tag_budget_exhausted",
  "idempotency_in_progress",
  "idempotency_finished",
  "idempotency_key_reused",
  "upstream_concurrency_exceeded",
  "upstream_failed",
  "upstream_bad_response",
  "content_rejected",
  "invalid_image",
  "no_channel_available",
  "service_draining",
  "upstream_timeout",
];
/** What an upstream of text says of a conversation. */
const ofText: FailureCode[] = [
  "context_length_exceeded",
  "max_tokens_too_large",
  "invalid_tool_schema",
  "invalid_history",
];
const ofVideo: FailureCode[] = ["audio_review_failed", "task_still_running"];

const ofMedia: FailureCode[] = [
  "media_link_invalid",
  "media_link_expired",
  "not_found",
  "range_not_satisfiable",
  "database_unavailable",
];

const ofContent: FailureCode[] = ["not_found", "media_link_expired", "range_not_satisfiable"];

const ofReadiness: FailureCode[] = ["service_draining", "database_unavailable"];

export function failureCodesOf(row: EndpointRow): FailureCode[] {
  const isVideo = row.path.startsWith("/v1/videos") || row.path.startsWith("/v1/contents/");
  const isMade = isVideo || row.path.startsWith("/v1/images");
  const isOperators = row.group === "operators";
  /** Does what a row of the pages does. */
  const isByPage = isOperators || row.group === "ofAccount";
  const isManaged = row.group === "keys" || row.group === "members";
  const isSold = row.billing === "generation";
  const whenever: [boolean, FailureCode[]][] = [
    [true, ["internal_error", "head_too_large"]],
    [!row.admits.includes("anyone"), ofKeyed],
    [row.scope !== undefined, ["scope_missing"]],
    [row.isOncePerKey === true, ["idempotency_in_progress", "idempotency_key_reused"]],
    [row.isOncePerKey === true && isByPage, ["idempotency_finished"]],
    [isManaged, ["invalid_value", "not_found"]],
    [row.scope === "members:write", ["role_not_allowed"]],
    [row.request !== null, ofBody],
    [row.query !== undefined, ["invalid_value"]],
    [row.name === "getUsage" || isManaged || isByPage, ["unknown_parameter"]],
    [isByPage, ["not_found", "already_exists", "insufficient_points"]],
    [(row.request !== null && !isByPage && !isManaged) || row.path.endsWith("/{model}"), ofModel],
    [row.name === "operator.changeModel", ["changed_meanwhile"]],
    [isSold, ofGeneration],
    [isSold && isVideo, ofVideo],
    [isSold && !isVideo && !row.path.startsWith("/v1/images"), ofText],
    [isMade && row.path.includes("{"), ["task_not_found"]],
    [isMade && row.method === "DELETE", ["task_not_cancellable"]],
    [row.name === "getVideoContent", ofContent],
    [
      row.name === "createResponse" || row.name === "compactResponse",
      ["previous_response_not_found"],
    ],
    [row.path.startsWith("/v1/responses/{"), ["response_not_found"]],
    [row.name === "getResponse", ["unsupported_value"]],
    [row.name === "cancelResponse", ["task_not_cancellable"]],
    [row.name === "getMedia", ofMedia],
    [row.name === "getReadiness", ofReadiness],
  ];
  return [...new Set(whenever.flatMap(([applies, codes]) => (applies ? codes : [])))];
}
