/** What the refusals of video and image upstreams mean: Ark's codes, those of its resellers and our own. */
import { codesOf, contentCodes, failureOf, failureOfStatus, modelCodes, ourFault } from "../openai/failure-map";
import { asObject, parseUpstreamObject } from "../openai/upstream-json";
import type { JsonObject, UpstreamFailure } from "../provider";

/** Fields that the adapters write themselves. */
const ownFields = /(^|\.)(model|watermark|response_format|sequential_image_generation|stream|n)$/i;
const ownFieldCode = /^(Invalid|Missing)Parameter\.(model|watermark|response_format|sequential_image_generation|stream|n)$/i;
/** A quota of tasks that wait or run passes by itself; every other quota is an account that must be looked after. */
const passingQuota = /queue|in-?flight|concurren|running/i;
const audioReview = /^(output)?audio(sensitive|risk)|^outputaudio|^audio_review_failed/i;
const refusedInput =
  /^(Invalid|Missing)(Parameter|ImageURL|Image|Video|Audio)|^invalid_(value|parameter|request)|^unsupported_value|OutofContext/i;

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The error object in a body, wherever resellers put it; null when there is none. */
function errorIn(body: JsonObject | null): JsonObject | null {
  return asObject(body?.error) ?? (typeof body?.code === "string" ? body : null);
}

/** The upstream's short code for its refusal, or "" when the body names none. */
export function errorCodeOf(body: string): string {
  return text(errorIn(parseUpstreamObject(body))?.code).slice(0, 200);
}

/** The failure that an HTTP status and the error body beside it stand for. */
export function failureOfMediaStatus(status: number, body: string): UpstreamFailure {
  const error = errorIn(parseUpstreamObject(body));
  const code = text(error?.code);
  const internal = `status ${status}: ${codesOf(error)}`;
  if (status >= 400 && status !== 401 && (contentCodes.test(code) || audioReview.test(code)))
    return failureOf("content_rejected", internal);
  if (status === 429 && /^quotaexceeded/i.test(code) && passingQuota.test(text(error?.message)))
    return failureOf("upstream_concurrency_exceeded", internal, { isSurelyFree: true });
  const failure = failureOfStatus(status, body);
  const isOurs = ownFields.test(failure.param ?? "") || ownFieldCode.test(code);
  return failure.code === "invalid_value" && isOurs ? ourFault(internal) : failure;
}

/** Why one result failed although the exchange succeeded: a failed task, or an error in an image's place. */
export function failureOfResult(raw: unknown): {
  readonly code: "upstream_failed" | "content_rejected" | "audio_review_failed" | "invalid_value";
  readonly internal: string;
  readonly isOperatorFault: boolean;
} {
  const error = asObject(raw);
  const code = error ? text(error.code) : text(raw);
  const internal = `failed: ${codesOf(error ?? { code })}`;
  const isOperatorFault = /quota|overdue|authentication|accessdenied|accountstatus/i.test(code) || modelCodes.test(code);
  if (isOperatorFault) return { code: "upstream_failed", internal, isOperatorFault };
  if (audioReview.test(code)) return { code: "audio_review_failed", internal, isOperatorFault };
  if (contentCodes.test(code)) return { code: "content_rejected", internal, isOperatorFault };
  return { code: refusedInput.test(code) && !ownFieldCode.test(code) ? "invalid_value" : "upstream_failed", internal, isOperatorFault };
}
