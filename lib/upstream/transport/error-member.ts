import { failureOf } from "../failure";
import type { UpstreamFailure } from "../provider";
import { codeText } from "./error-codes";
import { internalOf, knownFailure, refusedRequest } from "./refusal-failure";
import { type RefusedBody, readRefused, saidIn } from "./refused-body";
import { failureOfRefused } from "./status-failure";

/** What gateways write as the code: the status with which the server behind them answered. */
const statusText = /^4\d\d$/;

/** The failure behind an `error` member in an answer with status 200 or in a stream. */
export function failureOfErrorMember(member: unknown): UpstreamFailure {
  const refused = readRefused(member);
  return { ...meantBy(refused), ...saidIn(refused) };
}

function meantBy(refused: RefusedBody): UpstreamFailure {
  const internal = internalOf("error in a 200", refused);
  const code = codeText(refused.error?.code);
  if (statusText.test(code)) return failureOfRefused(Number(code), refused, internal);
  if (/(?:^| )invalid_request_error(?: |$)/.test(refused.codes))
    return refusedRequest(refused, internal);
  return knownFailure(refused, internal) ?? failureOf("upstream_failed", internal);
}
