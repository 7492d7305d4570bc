import { failureOf } from "../failure";
import type { JsonObject, UpstreamFailure } from "../provider";
import { codeText } from "./error-codes";
import { isBusy, isOverloaded } from "./limit-words";
import { internalOf, knownFailure, refusedRequest } from "./refusal-failure";
import { type RefusedBody, readRefused, saidIn } from "./refused-body";
import { failureOfRefused } from "./status-failure";
import { asObject } from "./upstream-json";

/** What gateways write as the code: the status with which the server behind them answered. */
const statusText = /^4\d\d$/;

const TOO_MANY = 429;
const UNAVAILABLE = 503;

/** As many answers as a request may ask for. A hostile answer has a million. */
const CHOICES_READ_MAX = 128;

/** Members with which makers say in an answer without choices that it is none. */
const isNamed = (value: unknown) => typeof value === "string" && value !== "";
const isCode = (value: unknown) => !["", "0", "200"].includes(codeText(value));

function saysError(body: JsonObject): boolean {
  const words = [body.message, body.msg, body.error_msg, body.detail];
  return (
    body.object === "error" ||
    body.type === "error" ||
    body.status === "error" ||
    isNamed(body.error_message) ||
    (Array.isArray(body.errors) && body.errors.length > 0) ||
    body.success === false ||
    asObject(body.Response)?.Error !== undefined ||
    isCode(body.error_code) ||
    isCode(asObject(body.base_resp)?.status_code) ||
    (isCode(body.code) && words.some(isNamed)) ||
    (Object.keys(body).length === 1 && (body.detail ?? body.message) !== undefined)
  );
}

/**
 * What says in an answer with status 200, or in an event of a stream, that it is none: its `error`,
 * the whole of one that has no choices, or the `error` of a choice that says nothing. Null for none.
 */
export function errorIn(body: JsonObject): unknown {
  if (body.error) return body.error;
  const choices: unknown[] | null = Array.isArray(body.choices) ? body.choices : null;
  if (choices === null) return saysError(body) ? body : null;
  const read = choices.length > CHOICES_READ_MAX ? choices.slice(0, CHOICES_READ_MAX) : choices;
  for (const choice of read) {
    const { error, message, delta } = asObject(choice) ?? {};
    if (error && !asObject(message ?? delta)?.content) return error;
  }
  return null;
}

/** The failure behind an `error` member in an answer with status 200 or in a stream. */
export function failureOfErrorMember(member: unknown): UpstreamFailure {
  const refused = readRefused(member);
  return { ...meantBy(refused), ...saidIn(refused) };
}

function meantBy(refused: RefusedBody): UpstreamFailure {
  const internal = internalOf("error in a 200", refused);
  const { error } = refused;
  const code = [error?.code, error?.http_code, error?.status_code, error?.status]
    .map(codeText)
    .find((text) => statusText.test(text));
  if (code !== undefined) return failureOfRefused(Number(code), refused, internal);
  if (isBusy(refused)) return failureOfRefused(TOO_MANY, refused, internal);
  if (isOverloaded(refused)) return failureOfRefused(UNAVAILABLE, refused, internal);
  if (/(?:^| )invalid_request_error(?: |$)/.test(refused.codes))
    return refusedRequest(refused, internal);
  return knownFailure(refused, internal) ?? failureOf("upstream_failed", internal);
}
