/** What is left of the limits of a key, in the headers of an answer. */
import type { HoldResult } from "../../ledger/verbs";
import { pointsNumber } from "../../points";

const isCount = (kind: string) => kind === "running" || kind === "tokens";

/** Adds `x-relay-key-remaining`, such as `day=12.5, running=3`, for a key that has limits. */
export function setRooms(
  headers: Record<string, string>,
  { rooms }: Extract<HoldResult, { result: "held" }>,
): void {
  if (rooms === undefined) return;
  headers["x-relay-key-remaining"] = rooms
    .map(({ kind, left }) => {
      const rest = left > 0n ? left : 0n;
      return `${kind}=${isCount(kind) ? rest : pointsNumber(rest)}`;
    })
    .join(", ");
}
