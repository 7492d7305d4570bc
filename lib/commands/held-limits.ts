/** Sets the limits of a key that the ledger holds. */
import { KEY_RUNNING_MAX, KEY_TOKENS_MAX, ZONE_LENGTH_MAX } from "../contract/limits";
import type { Transaction } from "../db/client";
import { RelayError } from "../failures/relay-error";
import type { Ledger } from "../ledger/core/verbs";
import type { Micropoints } from "../money/points";
import { givenBudgets, isBudget, moveLimits, notAZone } from "./moved-limits";

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

const wholeOrNull = (count: number | null | undefined) =>
  count == null ? count : BigInt(Math.trunc(count));

/** Sets what is given and differs. Returns it for the audit log. */
export async function setHeldLimits(
  ledger: Pick<Ledger, "setKeyLimit">,
  transaction: Transaction,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  limits: HeldLimits,
): ReturnType<typeof moveLimits> {
  const rows = await transaction.apiKeyBudget.findMany({ where: { apiKeyId: id } });
  const given = [
    ...givenBudgets(limits),
    ...counts.map(([name, kind]) => ({ name, kind, amount: wholeOrNull(limits[name]) })),
  ];
  return moveLimits(given, rows, limits.budgetZone, ({ kind, amount, zone }) => {
    const limit = { kind, amount, zone: isBudget(kind) ? zone : null };
    return ledger.setKeyLimit(id, accountId, limit, transaction);
  });
}
