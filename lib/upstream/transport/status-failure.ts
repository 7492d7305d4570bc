/** What an upstream's refusal by HTTP status means for the client, the operator and the charge. */

import { failureOf, ourFault } from "../failure";
import type { CredentialFault, JsonObject, UpstreamFailure } from "../provider";
import { codesOf, codeText, contentCodes, modelCodes, quotaCodes } from "./error-codes";
import { asObject, parseUpstreamObject } from "./upstream-json";

const plainFieldPath = /^[A-Za-z_]\w{0,63}(\[\d{1,5}\]|\.[A-Za-z_]\w{0,63}){0,8}$/;
/** Fields that the relay writes, so the client is not to blame for them. */
const ownFields = new Set(["model", "stream", "stream_options"]);

function refusedRequest(error: JsonObject | null, internal: string): UpstreamFailure {
  const codes = `${codeText(error?.code)} ${codeText(error?.type)}`;
  if (contentCodes.test(codes)) return failureOf("content_rejected", internal);
  if (quotaCodes.test(codes) || modelCodes.test(codes)) return ourFault(internal);
  const param = codeText(error?.param);
  if (ownFields.has(param)) return ourFault(internal);
  return failureOf("invalid_value", internal, { param: plainFieldPath.test(param) ? param : null });
}

function credentialFaultOf(status: number, codes: string): CredentialFault | undefined {
  if (status === 402 || quotaCodes.test(codes)) return "quota";
  if (status === 401 || status === 403) return "refused";
  return status === 429 ? "busy" : undefined;
}

/** The failure for an HTTP status and its error body. */
export function failureOfStatus(status: number, body: string): UpstreamFailure {
  const failure = meaningOf(status, body);
  const { code, isOperatorFault } = failure;
  if (!isOperatorFault && code !== "upstream_concurrency_exceeded") return failure;
  const credentialFault = credentialFaultOf(status, failure.internal);
  return credentialFault === undefined ? failure : { ...failure, credentialFault };
}

function meaningOf(status: number, body: string): UpstreamFailure {
  const parsed = parseUpstreamObject(body);
  const error = asObject(parsed?.error) ?? parsed;
  const internal = `status ${status}: ${codesOf(error)}`;
  const codes = `${codeText(error?.code)} ${codeText(error?.type)}`;
  if (status === 400 || status === 413 || status === 422) return refusedRequest(error, internal);
  if (status === 401 || status === 402 || status === 403 || status === 404 || status === 405) {
    return status === 403 && contentCodes.test(codes)
      ? failureOf("content_rejected", internal)
      : ourFault(internal);
  }
  if (status === 429) {
    return quotaCodes.test(codes)
      ? ourFault(internal)
      : failureOf("upstream_concurrency_exceeded", internal, { isSurelyFree: true });
  }
  if (status === 503) return failureOf("upstream_failed", internal, { isSurelyFree: true });
  if (status >= 300 && status < 400)
    return failureOf("upstream_bad_response", internal, { isOperatorFault: true });
  if (status >= 400) return failureOf("upstream_failed", internal);
  return failureOf("upstream_bad_response", internal, { mayHaveCost: true });
}
