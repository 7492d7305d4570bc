/** Sets those of the given limits that differ from the stored ones, for a key or for a member. */
import type { AuditFields } from "../accounts/actions";
import { isInvalidParameter } from "../db/database-errors";
import { RelayError } from "../failures/relay-error";
import type { KeyLimitKind } from "../ledger/core/key-limits";
import { formatPoints, type Micropoints } from "../money/points";

/** The budgets that renew: the field of each, and its period. */
export const budgets = [
  ["budgetDay", "day"],
  ["budgetWeek", "week"],
  ["budgetMonth", "month"],
] as const;

export const notAZone = (zone: string) =>
  new RelayError("invalid_value", {
    param: "budgetZone",
    message: `${JSON.stringify(zone.slice(0, 60))} is not a time zone such as Europe/Berlin.`,
    fault: { name: "not_a_zone", zone: zone.slice(0, 60) },
  });

/** What a change gives for one limit: null lifts it, undefined leaves it. */
interface GivenLimit<Kind> {
  readonly name: string;
  readonly kind: Kind;
  readonly amount: bigint | null | undefined;
}

interface StoredLimit {
  readonly kind: string;
  readonly budget: bigint | null;
  readonly zone: string | null;
}

interface LimitToSet<Kind> {
  readonly kind: Kind;
  readonly amount: bigint | null;
  readonly zone: string;
}

/** The limits that were changed, before and after, for the audit log. */
interface Changed {
  readonly before: AuditFields;
  readonly after: AuditFields;
}

/** The fields of a change that has the budgets, as limits. */
export const givenBudgets = (
  input: Readonly<Partial<Record<(typeof budgets)[number][0], Micropoints | null | undefined>>>,
) => budgets.map(([name, kind]) => ({ name, kind, amount: input[name] }));

export const isBudget = (kind: KeyLimitKind) => kind !== "running" && kind !== "tokens";
const shown = (kind: KeyLimitKind, amount: bigint | null) =>
  amount === null ? null : isBudget(kind) ? formatPoints(amount) : Number(amount);

/**
 * A zone applies to every budget; without one the earlier zone stays, or it is UTC. Returns null if
 * nothing differs. Rejects with `invalid_value` for a zone that the database does not know.
 */
export async function moveLimits<Kind extends KeyLimitKind>(
  given: readonly GivenLimit<Kind>[],
  stored: readonly StoredLimit[],
  budgetZone: string | undefined,
  set: (limit: LimitToSet<Kind>) => Promise<unknown>,
): Promise<Changed | null> {
  const earlierZone = stored.find(({ zone }) => zone !== null)?.zone ?? null;
  const zone = budgetZone ?? earlierZone ?? "UTC";
  const steps = given.map(({ name, kind, amount }) => {
    const before = stored.find((row) => row.kind === kind)?.budget ?? null;
    return { name, kind, before, after: amount === undefined ? before : amount };
  });
  const moved = steps.filter(
    ({ kind, before, after }) =>
      before !== after || (isBudget(kind) && after !== null && zone !== earlierZone),
  );
  if (moved.length === 0) return null;
  for (const { kind, after: amount } of moved) {
    // The database may know fewer zones than this process.
    await set({ kind, amount, zone }).catch((error: unknown) => {
      throw isInvalidParameter(error) ? notAZone(zone) : error;
    });
  }
  const said = (side: "before" | "after", named: string | null): AuditFields => ({
    ...Object.fromEntries(moved.map((step) => [step.name, shown(step.kind, step[side])])),
    ...(moved.some(({ kind }) => isBudget(kind)) && { budgetZone: named }),
  });
  return { before: said("before", earlierZone), after: said("after", zone) };
}
