/** Sets the limits of a key that the ledger holds. */
import type { AuditFields } from "../accounts/actions";
import { KEY_RUNNING_MAX, KEY_TOKENS_MAX, ZONE_LENGTH_MAX } from "../contract/limits";
import type { Transaction } from "../db/client";
import { isInvalidParameter } from "../db/database-errors";
import { RelayError } from "../errors";
import type { KeyLimitKind } from "../ledger/key-limits";
import type { Ledger } from "../ledger/verbs";
import { formatPoints, type Micropoints } from "../points";

/** Limits that the ledger holds; null lifts one. */
export interface HeldLimits {
  /** The points that the key may spend in a day, a week or a month of the zone. */
  readonly budgetDay?: Micropoints | null | undefined;
  readonly budgetWeek?: Micropoints | null | undefined;
  readonly budgetMonth?: Micropoints | null | undefined;
  /** An IANA time zone; UTC where none was ever given. */
  readonly budgetZone?: string | undefined;
  /** Its requests at once, over all processes. */
  readonly concurrentMax?: number | null | undefined;
  readonly tokensPerMinute?: number | null | undefined;
}

const budgets = [
  ["budgetDay", "day"],
  ["budgetWeek", "week"],
  ["budgetMonth", "month"],
] as const;
const counts = [
  ["concurrentMax", "running", KEY_RUNNING_MAX],
  ["tokensPerMinute", "tokens", KEY_TOKENS_MAX],
] as const;

/** Short names are refused: `IST` is Israel to the database, and India to others. */
function isZone(zone: string): boolean {
  if (!/^(UTC|[A-Za-z_]+\/[A-Za-z0-9_+/-]+)$/.test(zone) || zone.length > ZONE_LENGTH_MAX)
    return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}

export const notAZone = (zone: string) =>
  new RelayError("invalid_value", {
    param: "budgetZone",
    message: `${JSON.stringify(zone.slice(0, 60))} is not a time zone such as Europe/Berlin.`,
    fault: { name: "not_a_zone", zone: zone.slice(0, 60) },
  });

/** Throws `invalid_value`, naming the field. */
export function assertHeldLimits(limits: HeldLimits): void {
  const { budgetZone } = limits;
  if (budgetZone !== undefined && !isZone(budgetZone)) throw notAZone(budgetZone);
  for (const [param, , max] of counts) {
    const count = limits[param];
    if (count == null || (Number.isInteger(count) && count >= 1 && count <= max)) continue;
    throw new RelayError("invalid_value", {
      param,
      message: `${param} must be a whole number from 1 to ${max.toLocaleString("en")}.`,
      fault: { name: "out_of_range", min: 1, max },
    });
  }
}

type Name = (typeof budgets)[number][0] | (typeof counts)[number][0];

/** One limit to set, and what it was. */
interface Step {
  readonly name: Name;
  readonly kind: KeyLimitKind;
  readonly before: bigint | null;
  readonly after: bigint | null;
}

const wholeOrNull = (count: number | null | undefined) =>
  count == null ? count : BigInt(Math.trunc(count));

function stepsOf(limits: HeldLimits, maxOf: (kind: KeyLimitKind) => bigint | null): Step[] {
  const given = [
    ...budgets.map(([name, kind]) => ({ name, kind, amount: limits[name] })),
    ...counts.map(([name, kind]) => ({ name, kind, amount: wholeOrNull(limits[name]) })),
  ];
  return given.map(({ name, kind, amount }) => {
    const before = maxOf(kind);
    return { name, kind, before, after: amount === undefined ? before : amount };
  });
}

const isBudget = (kind: KeyLimitKind) => kind !== "running" && kind !== "tokens";
const shown = (kind: KeyLimitKind, amount: bigint | null) =>
  amount === null ? null : isBudget(kind) ? formatPoints(amount) : Number(amount);

/** The limits that were changed, before and after, for the audit log. */
interface Changed {
  readonly before: AuditFields;
  readonly after: AuditFields;
}

/** Sets what is given and differs; a zone applies to every budget that renews. */
export async function setHeldLimits(
  ledger: Pick<Ledger, "setKeyLimit">,
  transaction: Transaction,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  limits: HeldLimits,
): Promise<Changed> {
  const rows = await transaction.apiKeyBudget.findMany({ where: { apiKeyId: id } });
  const earlierZone = rows.find(({ zone }) => zone !== null)?.zone ?? null;
  const zone = limits.budgetZone ?? earlierZone ?? "UTC";
  const steps = stepsOf(limits, (kind) => rows.find((row) => row.kind === kind)?.budget ?? null);
  const moved = steps.filter(
    ({ kind, before, after }) =>
      before !== after || (isBudget(kind) && after !== null && zone !== earlierZone),
  );
  for (const { kind, after: amount } of moved) {
    const limit = { kind, amount, zone: isBudget(kind) ? zone : null };
    // The database may know fewer zones than this process.
    await ledger.setKeyLimit(id, accountId, limit, transaction).catch((error: unknown) => {
      throw isInvalidParameter(error) ? notAZone(zone) : error;
    });
  }
  const said = (side: "before" | "after", named: string | null): AuditFields => ({
    ...Object.fromEntries(moved.map((step) => [step.name, shown(step.kind, step[side])])),
    ...(moved.some(({ kind }) => isBudget(kind)) && { budgetZone: named }),
  });
  return { before: said("before", earlierZone), after: said("after", zone) };
}
