/** Commands about packages: a number of points at a price. */
import { type AuditFields, recordAction } from "../accounts/actions";
import {
  NAME_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  PACKAGE_AMOUNT_MAX,
  PACKAGE_POSITION_MAX,
  PACKAGES_MAX,
} from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { newId } from "../crypto/ids";
import { isCountLimit } from "../db/database-errors";
import type { TopupPackage } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { type OptionalMembers, withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

interface PackageTerms {
  readonly name: string;
  readonly note: string | null;
  readonly points: Micropoints;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** Three lower-case letters. */
  readonly currency: string;
  readonly isEnabled: boolean;
  readonly position: number;
}

function assertTerms({
  name,
  note,
  points,
  amount,
  currency,
  position,
}: OptionalMembers<PackageTerms>): void {
  if (
    name !== undefined &&
    (name.trim() === "" || name.length > NAME_LENGTH_MAX || !isShownText(name))
  )
    throw invalidValue(
      "name",
      `A package's name must be one line of 1 to ${NAME_LENGTH_MAX} characters.`,
    );
  if (note != null && (note.trim() === "" || note.length > NOTE_LENGTH_MAX))
    throw invalidValue("note", `A package's note must have 1 to ${NOTE_LENGTH_MAX} characters.`);
  if (points !== undefined && (points < 1n || points > MICROPOINTS_MAX))
    throw invalidValue("points", "A package must have more than 0 points.");
  if (
    amount !== undefined &&
    !(Number.isInteger(amount) && amount >= 1 && amount <= PACKAGE_AMOUNT_MAX)
  ) {
    throw invalidValue(
      "amount",
      `The price is ${amount}; it must be a whole number from 1 to ${PACKAGE_AMOUNT_MAX} in the currency's smallest unit.`,
    );
  }
  if (currency !== undefined && !/^[a-z]{3}$/.test(currency)) {
    throw invalidValue(
      "currency",
      `The currency is ${currency}; it must be three letters, such as eur.`,
    );
  }
  if (
    position !== undefined &&
    !(Number.isInteger(position) && Math.abs(position) <= PACKAGE_POSITION_MAX)
  ) {
    throw invalidValue(
      "position",
      `The position must be a whole number from -${PACKAGE_POSITION_MAX} to ${PACKAGE_POSITION_MAX}.`,
    );
  }
}

/** The fields of a package that the audit log keeps. */
const said = ({
  name,
  note,
  points,
  amount,
  currency,
  isEnabled,
  position,
}: TopupPackage): AuditFields => ({
  name,
  note,
  points: formatPoints(points),
  amount: Number(amount),
  currency,
  isEnabled,
  position,
});

/** Rejects with `invalid_value` for invalid terms. */
export async function createPackage(
  { database }: Deps,
  actor: string,
  terms: PackageTerms,
): Promise<TopupPackage> {
  assertTerms(terms);
  const data = { id: newId("topupPackage"), ...terms };
  return inDatabaseTransaction(database, async (transaction) => {
    const made = await transaction.topupPackage.create({ data }).catch((error: unknown) => {
      throw isCountLimit(error)
        ? invalidValue("name", `There can be at most ${PACKAGES_MAX} packages.`)
        : error;
    });
    await recordAction(transaction, actor, "package.create", made.id, { after: said(made) });
    return made;
  });
}

/**
 * Changes the given fields. Payments that were opened before keep their terms. Rejects with
 * `not_found`, `invalid_value`.
 */
export async function changePackage(
  { database }: Deps,
  actor: string,
  { id, ...terms }: OptionalMembers<PackageTerms> & { id: string },
): Promise<TopupPackage> {
  assertTerms(terms);
  const data = withoutUndefined(terms);
  return inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.topupPackage.findUnique({ where: { id } });
    if (before === null)
      throw new RelayError("not_found", { message: `There is no package ${id}.` });
    const after = await transaction.topupPackage.update({ where: { id }, data });
    await recordAction(transaction, actor, "package.change", id, {
      before: said(before),
      after: said(after),
    });
    return after;
  });
}
