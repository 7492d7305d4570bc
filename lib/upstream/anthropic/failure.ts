/** What a refusal by the Messages API means. */
import { failureOf, ourFault } from "../failure";
import type { UpstreamFailure } from "../provider";
import { failureOfStatus } from "../transport/status-failure";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { textOf } from "./json-reading";

const OVERLOADED = 529;

/** It has no code for an account without credit, only a sentence, which is read but never logged. */
function saysNoCredit(body: string): boolean {
  const error = asObject(parseUpstreamObject(body)?.error);
  return /credit balance/i.test(textOf(error?.message));
}

export function failureOfRefusal(status: number, body: string): UpstreamFailure {
  const internal = `status ${status}`;
  if (status === OVERLOADED)
    return failureOf("upstream_failed", `${internal}: overloaded`, { isSurelyFree: true });
  if (status === 400 && saysNoCredit(body))
    return { ...ourFault(`${internal}: no credit`), credentialFault: "quota" };
  return failureOfStatus(status, body);
}
