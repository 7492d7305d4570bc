import { failureOf } from "../failure";
import type { UpstreamFailure } from "../provider";
import { codesOf, codeText, contentCodes, modelCodes, quotaCodes } from "./error-codes";
import { asObject } from "./upstream-json";

/** The failure behind an `error` member in an answer with status 200 or in a stream. */
export function failureOfErrorMember(member: unknown): UpstreamFailure {
  const error = asObject(member);
  const internal = `error in a 200: ${codesOf(error)}`;
  const codes = `${codeText(error?.code)} ${codeText(error?.type)}`;
  if (contentCodes.test(codes)) return failureOf("content_rejected", internal);
  if (quotaCodes.test(codes) || modelCodes.test(codes)) {
    return failureOf("no_channel_available", internal, {
      isOperatorFault: true,
      ...(quotaCodes.test(codes) && { credentialFault: "quota" }),
    });
  }
  return failureOf("upstream_failed", internal);
}
