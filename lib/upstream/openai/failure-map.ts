/** What an upstream's refusal means to the customer, to the operator and to the money. */
import type { JsonObject, UpstreamFailure } from "../provider";
import { asObject, parseUpstreamObject } from "./upstream-json";

type Code = UpstreamFailure["code"];

/** What of an upstream's error may enter a log: its short codes, never its text, which may quote prompts or credentials. */
const plainCode = /^[\w.:[\]-]{1,80}$/;
const plainFieldPath = /^[A-Za-z_]\w{0,63}(\[\d{1,5}\]|\.[A-Za-z_]\w{0,63}){0,8}$/;
/** Fields that the relay writes itself: the customer is not to blame for them. */
const ownFields = new Set(["model", "stream", "stream_options"]);
export const contentCodes =
  /sensitive|riskdetection|content_policy|content_filter|content_management|content_rejected|data_inspection|moderation|policyviolation/i;
const quotaCodes = /quota|setlimitexceeded|overdue|billing|insufficient_balance|arrear/i;
export const modelCodes = /model_?not_?(found|open)|endpointormodel|servicenotopen|accessdisabled|unknown_model|invalid_model/i;

/** A failure with the usual answers: free, nobody's fault but the upstream's. */
export function failureOf(code: Code, internal: string, detail: Partial<UpstreamFailure> = {}): UpstreamFailure {
  return {
    code,
    mayHaveCost: false,
    isSurelyFree: false,
    isOperatorFault: false,
    param: null,
    ...detail,
    internal,
  };
}

/** Our credential, account, quota or configuration, never the customer's doing. */
export const ourFault = (internal: string) => failureOf("no_channel_available", internal, { isSurelyFree: true, isOperatorFault: true });

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The short codes of an upstream's error, fit for a log. */
export function codesOf(error: JsonObject | null): string {
  const shown = [error?.code, error?.type, error?.param].map(text).filter((value) => plainCode.test(value));
  return shown.length === 0 ? "no code" : shown.join(", ");
}

function refusedRequest(error: JsonObject | null, internal: string): UpstreamFailure {
  const codes = `${text(error?.code)} ${text(error?.type)}`;
  if (contentCodes.test(codes)) return failureOf("content_rejected", internal);
  if (quotaCodes.test(codes) || modelCodes.test(codes)) return ourFault(internal);
  const param = text(error?.param);
  if (ownFields.has(param)) return ourFault(internal);
  return failureOf("invalid_value", internal, { param: plainFieldPath.test(param) ? param : null });
}

/** The failure that an HTTP status and the error body beside it stand for. */
export function failureOfStatus(status: number, body: string): UpstreamFailure {
  const parsed = parseUpstreamObject(body);
  const error = asObject(parsed?.error) ?? parsed;
  const internal = `status ${status}: ${codesOf(error)}`;
  const codes = `${text(error?.code)} ${text(error?.type)}`;
  if (status === 400 || status === 413 || status === 422) return refusedRequest(error, internal);
  if (status === 401 || status === 402 || status === 403 || status === 404 || status === 405) {
    return status === 403 && contentCodes.test(codes) ? failureOf("content_rejected", internal) : ourFault(internal);
  }
  if (status === 429) {
    return quotaCodes.test(codes) ? ourFault(internal) : failureOf("upstream_concurrency_exceeded", internal, { isSurelyFree: true });
  }
  if (status === 503) return failureOf("upstream_failed", internal, { isSurelyFree: true });
  if (status >= 300 && status < 400) return failureOf("upstream_bad_response", internal, { isOperatorFault: true });
  if (status >= 400) return failureOf("upstream_failed", internal);
  return failureOf("upstream_bad_response", internal, { mayHaveCost: true });
}

/** The failure that an `error` member stands for when it comes with status 200 or inside a stream. */
export function failureOfErrorMember(member: unknown): UpstreamFailure {
  const error = asObject(member);
  const internal = `error in a 200: ${codesOf(error)}`;
  const codes = `${text(error?.code)} ${text(error?.type)}`;
  if (contentCodes.test(codes)) return failureOf("content_rejected", internal);
  if (quotaCodes.test(codes) || modelCodes.test(codes)) return failureOf("no_channel_available", internal, { isOperatorFault: true });
  return failureOf("upstream_failed", internal);
}

/** A request that ended without an HTTP answer. `wasSent`: bytes of it had left, so the upstream may have worked. */
export function failureOfTransport(error: Error, wasSent: boolean): UpstreamFailure {
  const internal = `${(error as NodeJS.ErrnoException).code ?? error.name}: ${error.message}`;
  const isTrust = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|HOSTNAME/i.test((error as NodeJS.ErrnoException).code ?? "");
  return failureOf("upstream_failed", internal, { isSurelyFree: !wasSent, mayHaveCost: wasSent, isOperatorFault: isTrust });
}
