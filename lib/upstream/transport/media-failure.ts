/**
 * What refusals of video and image upstreams mean: Ark's codes, those of its resellers and our own.
 */

import { type RefusalReason, refusalReasons } from "../../contract/states";
import { failureOf, ourFault } from "../failure";
import type { JsonObject, UpstreamFailure } from "../provider";
import { codesOf, codeText, contentCodes, modelCodes } from "./error-codes";
import { knownFailure } from "./refusal-failure";
import { type RefusedBody, readRefused, saidIn } from "./refused-body";
import { failureOfStatus } from "./status-failure";
import { asObject, parseUpstreamObject } from "./upstream-json";

/** Fields that the adapters write, so the client is not to blame for them. */
const ownFields = /(^|\.)(model|watermark|response_format|sequential_image_generation|stream|n)$/i;
const ownFieldCode =
  /^(Invalid|Missing)Parameter\.(model|watermark|response_format|sequential_image_generation|stream|n)$/i;
/**
 * A quota of queued or running tasks frees itself. Any other quota means that an operator must look
 * at the account.
 */
const passingQuota = /queue|in-?flight|concurren|running/i;
const audioReview = /^(output)?audio(sensitive|risk)|^outputaudio|^audio_review_failed/i;
const refusedInput =
  /^(Invalid|Missing)(Parameter|Video|Audio)|^invalid_(value|parameter|request)|^unsupported_value/i;

/**
 * The error object of a body, in any of the places where resellers put it; null when there is none.
 */
function errorIn(body: JsonObject | null): JsonObject | null {
  return asObject(body?.error) ?? (typeof body?.code === "string" ? body : null);
}

/** The upstream's short code for its refusal, and the kind that some send without a code; or "". */
export function errorNamesOf(body: string): { errorCode: string; errorType: string } {
  const error = errorIn(parseUpstreamObject(body));
  const [errorCode, errorType] = [codeText(error?.code), codeText(error?.type)];
  return { errorCode: errorCode.slice(0, 200), errorType: errorType.slice(0, 200) };
}

/** The failure for an HTTP status and its error body. */
export function failureOfMediaStatus(
  status: number,
  body: string,
  refused?: RefusedBody,
): UpstreamFailure {
  const error = errorIn(parseUpstreamObject(body));
  const code = codeText(error?.code);
  const internal = `status ${status}: ${codesOf(error)}`;
  if (status >= 400 && status !== 401 && (contentCodes.test(code) || audioReview.test(code)))
    return failureOf("content_rejected", internal);
  if (status === 429 && /^quotaexceeded/i.test(code) && passingQuota.test(codeText(error?.message)))
    return failureOf("upstream_concurrency_exceeded", internal, {
      isSurelyFree: true,
      credentialFault: "busy",
    });
  const failure = failureOfStatus(status, body, refused);
  const isOurs = ownFields.test(failure.param ?? "") || ownFieldCode.test(code);
  return failure.code === "invalid_value" && isOurs ? ourFault(internal) : failure;
}

/** Why a result failed although the exchange succeeded. */
export interface ResultFault {
  readonly code: "upstream_failed" | "content_rejected" | "audio_review_failed" | RefusalReason;
  readonly internal: string;
  readonly isOperatorFault: boolean;
  readonly said?: string;
}

function resultCode(known: string | undefined, code: string): ResultFault["code"] {
  const refusal = refusalReasons.find((reason) => reason === known);
  if (refusal !== undefined) return refusal;
  if (known === "content_rejected") return known;
  return refusedInput.test(code) && !ownFieldCode.test(code) ? "invalid_value" : "upstream_failed";
}

/** Reads the error of a failed task, or an error in place of a task or an image. */
export const readResultFault = (raw: unknown): ResultFault => ({
  ...faultIn(raw),
  ...saidIn(readRefused(raw)),
});

function faultIn(raw: unknown): ResultFault {
  const error = asObject(raw);
  const code = error ? codeText(error.code) : codeText(raw);
  const internal = `failed: ${codesOf(error ?? { code })}`;
  const isOperatorFault =
    /quota|overdue|authentication|accessdenied|accountstatus/i.test(code) || modelCodes.test(code);
  if (isOperatorFault) return { code: "upstream_failed", internal, isOperatorFault };
  if (audioReview.test(code)) return { code: "audio_review_failed", internal, isOperatorFault };
  if (contentCodes.test(code)) return { code: "content_rejected", internal, isOperatorFault };
  const known = knownFailure(readRefused(raw), internal)?.code;
  return { code: resultCode(known, code), internal, isOperatorFault };
}

/** The failure of an order that was answered with an error instead of a task or an image. */
export function failureOfOrder(raw: unknown): UpstreamFailure {
  const { code, internal, isOperatorFault, said } = readResultFault(raw);
  const detail = said === undefined ? {} : { said };
  if (isOperatorFault)
    return failureOf("no_channel_available", internal, { isOperatorFault, ...detail });
  return failureOf(code === "audio_review_failed" ? "content_rejected" : code, internal, detail);
}
