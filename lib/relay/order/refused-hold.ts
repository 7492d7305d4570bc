/** The errors for requests whose points could not be held. */
import { RelayError } from "../../failures/relay-error";
import type { HoldResult } from "../../ledger/core/verbs";
import { type Micropoints, pointsNumber } from "../../money/points";

const POINTS_HELD_RETRY_SECONDS = 5;

type Refused<Result extends HoldResult["result"]> = Extract<HoldResult, { result: Result }>;

/** Of the API key's budget, or of the member's, which always renews. */
function exhausted(
  refused: Refused<"key_budget_exhausted" | "member_budget_exhausted" | "tag_budget_exhausted">,
  required: number,
): RelayError {
  const { result, remaining, renewal } = refused;
  const left = pointsNumber(remaining);
  const isMembers = result === "member_budget_exhausted";
  const tag = result === "tag_budget_exhausted" ? `${refused.tag.name}=${refused.tag.value}` : null;
  const whose = tag !== null ? `the tag ${tag}'s` : isMembers ? "the member's" : "the API key's";
  const budget = renewal === null ? "budget" : `budget of the ${renewal.period}`;
  const renews = renewal === null ? "" : ` It renews at ${renewal.at.toISOString()}.`;
  const raise = isMembers || tag !== null ? " An administrator of the account can raise it." : "";
  return new RelayError(result, {
    message: `This request needs ${required} points; ${whose} ${budget} has ${left} left.${renews}${raise}`,
    fields: {
      remaining_points: left,
      required_points: required,
      ...(tag !== null && { tag }),
      ...(renewal && { period: renewal.period, renews_at: renewal.at.getTime() / 1000 }),
    },
  });
}

const tooManyAtOnce = (max: number) =>
  new RelayError("key_rate_limited", {
    message: `This API key may have ${max} requests at once, and has them. Try again when one has ended.`,
    fault: { name: "requests_at_once", max },
    retryAfterSeconds: 1,
  });

function tooManyTokens(max: number, renewsAt: Date): RelayError {
  const seconds = Math.max(1, Math.ceil((renewsAt.getTime() - Date.now()) / 1000));
  return new RelayError("key_rate_limited", {
    message: `This API key may use ${max} tokens per minute, and has used them. Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  });
}

/** The client's error for a refused hold. */
export function refusedHold(
  held: Exclude<HoldResult, { result: "held" }>,
  required: Micropoints,
): RelayError {
  if (held.result === "account_suspended") return new RelayError("account_suspended");
  if ("renewal" in held) return exhausted(held, pointsNumber(required));
  if (held.result === "key_running") return tooManyAtOnce(held.max);
  if (held.result === "key_tokens") return tooManyTokens(held.max, held.renewsAt);
  const fields = {
    available_points: pointsNumber(held.available),
    held_points: pointsNumber(held.held),
    required_points: pointsNumber(required),
  };
  const figures = `This request needs ${fields.required_points} points; ${fields.available_points} are available and ${fields.held_points} are held`;
  if (held.available + held.held >= required) {
    const message = `${figures} by running requests. Try again when they have ended.`;
    return new RelayError("points_held", {
      message,
      fields,
      retryAfterSeconds: POINTS_HELD_RETRY_SECONDS,
    });
  }
  return new RelayError("insufficient_points", {
    message: `${figures}. Top up on the points page.`,
    fields,
  });
}
