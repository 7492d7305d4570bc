/** What is left of the limits of a key, in the headers of an answer. */
import type { RemainingLimits } from "../../ledger/core/remaining-limits";
import type { HoldResult } from "../../ledger/core/verbs";
import { pointsNumber } from "../../money/points";

const isCount = (kind: string) => kind === "running" || kind === "tokens";

const ofMember = "member_";

const roomText = ({ kind, left }: RemainingLimits) => {
  const rest = left > 0n ? left : 0n;
  return `${kind.replace(ofMember, "")}=${isCount(kind) ? rest : pointsNumber(rest)}`;
};

/**
 * Adds `x-relay-key-remaining`, such as `day=12.5, running=3`, for a key that has limits, and
 * `x-relay-member-remaining` for a member who has budgets.
 */
export function setRemaining(
  headers: Record<string, string>,
  { rooms }: Extract<HoldResult, { result: "held" }>,
): void {
  if (rooms === undefined) return;
  const isOfMember = ({ kind }: RemainingLimits) => kind.startsWith(ofMember);
  const parts = {
    "x-relay-key-remaining": rooms.filter((room) => !isOfMember(room)),
    "x-relay-member-remaining": rooms.filter(isOfMember),
  };
  for (const [name, those] of Object.entries(parts))
    if (those.length > 0) headers[name] = those.map(roomText).join(", ");
}
