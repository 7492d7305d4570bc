/** What an upstream's refusal by HTTP status means for the client, the operator and the charge. */

import { failureOf, ourFault } from "../failure";
import type { UpstreamFailure } from "../provider";
import { quotaCodes } from "./error-codes";
import { isBusy, isOverloaded } from "./limit-words";
import { credentialFaultOf } from "./operator-refusals";
import { internalOf, knownFailure, refusedRequest } from "./refusal-failure";
import { isOfContent } from "./refusals";
import { type RefusedBody, readRefusedText, saidIn } from "./refused-body";
import { waitSecondsIn } from "./retry-after";

/** A server that is at its limits, as Anthropic says it. */
const OVERLOADED = 529;
const requestStatuses = [400, 413, 422];
const operatorStatuses = [401, 402, 403, 404, 405];

/** A request that alone exceeds what the upstream's account may send in a minute. */
const isOverRate = ({ texts }: RefusedBody) =>
  texts.some((text) => /^request too large for/i.test(text));

/** Of one credential: another one of the channel may have room. */
function busy(refused: RefusedBody, internal: string): UpstreamFailure {
  // Some makers call the requests of a minute a quota.
  const isForNow = refused.delay !== "" || isBusy(refused);
  if (quotaCodes.test(refused.codes) && !isForNow) return ourFault(internal, "quota");
  const known = knownFailure(refused, internal);
  if (known?.isOperatorFault && !(known.credentialFault === "quota" && isForNow)) return known;
  if (isOverRate(refused)) return { ...(known ?? ourFault(internal)), credentialFault: "busy" };
  return failureOf("upstream_concurrency_exceeded", internal, {
    isSurelyFree: true,
    credentialFault: "busy",
  });
}

function ofOperator(status: number, refused: RefusedBody, internal: string): UpstreamFailure {
  if (status === 402) return ourFault(internal, "quota");
  const isContent = status === 403 && isOfContent(refused);
  const known = isContent || status === 404 ? knownFailure(refused, internal) : null;
  if (known !== null) return known;
  const isRefused = status === 401 || status === 403;
  return ourFault(internal, credentialFaultOf(refused) ?? (isRefused ? "refused" : undefined));
}

/** The failure for what a status says, in an answer of that status or in another one. */
export function failureOfRefused(
  status: number,
  refused: RefusedBody,
  internal: string,
): UpstreamFailure {
  if (status !== 429 && isBusy(refused) && !isOverRate(refused)) return busy(refused, internal);
  if (status === OVERLOADED || (status >= 400 && isOverloaded(refused)))
    return failureOf("upstream_failed", `${internal}, overloaded`, { isSurelyFree: true });
  if (requestStatuses.includes(status)) {
    const failure = refusedRequest(refused, internal);
    return status === 413 && failure.code === "invalid_value"
      ? failureOf("body_too_large", internal, { isSurelyFree: true })
      : failure;
  }
  if (operatorStatuses.includes(status)) return ofOperator(status, refused, internal);
  if (status === 429) return busy(refused, internal);
  if (status === 503) return failureOf("upstream_failed", internal, { isSurelyFree: true });
  if (status >= 300 && status < 400)
    return failureOf("upstream_bad_response", internal, { isOperatorFault: true });
  if (status >= 400)
    return knownFailure(refused, internal) ?? failureOf("upstream_failed", internal);
  return failureOf("upstream_bad_response", internal, { mayHaveCost: true });
}

/** The failure for an HTTP status and its error body. */
export function failureOfStatus(
  status: number,
  body: string,
  refused = readRefusedText(body),
): UpstreamFailure {
  return failureOfRefused(status, refused, internalOf(`status ${status}`, refused));
}

/** A refusal as it came. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  /** For how long the upstream asks to be left alone. */
  readonly waitSeconds: number | undefined;
}

/** The failure for a refusal, with what operators are told of it. */
export function failureOfRefusal(
  { status, body, waitSeconds: asked }: Refusal,
  meaning: typeof failureOfStatus = failureOfStatus,
): UpstreamFailure {
  const refused = readRefusedText(body);
  const waitSeconds = asked ?? waitSecondsIn(status, refused);
  const wait = waitSeconds !== undefined && { waitSeconds };
  return { ...meaning(status, body, refused), status, ...saidIn(refused, body), ...wait };
}
