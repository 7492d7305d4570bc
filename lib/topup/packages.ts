/** What is sold: so many points at such a price. */
import { recordAction } from "../accounts/actions";
import type { Database } from "../db/client";
import type { TopupPackage } from "../db/generated/client";
import { isCountLimit } from "../db/refusal";
import { RelayError } from "../errors";
import { newId } from "../ids";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../points";

export interface PackageTerms {
  readonly name: string;
  readonly note: string | null;
  readonly points: Micropoints;
  /** Smallest unit of the currency. */
  readonly amount: number;
  /** Three lower-case letters. */
  readonly currency: string;
  readonly isEnabled: boolean;
  readonly position: number;
}

const PACKAGES_MAX = 100;
const AMOUNT_MAX = 99_999_999;

const refused = (param: string, message: string) => new RelayError("invalid_value", { param, message });

function assertTerms({ name, note, points, amount, currency, position }: Partial<PackageTerms>): void {
  if (name !== undefined && (name.trim() === "" || name.length > 80)) throw refused("name", "A package's name has 1 to 80 characters.");
  if (note != null && (note.trim() === "" || note.length > 200)) throw refused("note", "A package's note has 1 to 200 characters.");
  if (points !== undefined && (points < 1n || points > MICROPOINTS_MAX)) throw refused("points", "A package has more than no points.");
  if (amount !== undefined && !(Number.isInteger(amount) && amount >= 1 && amount <= AMOUNT_MAX)) {
    throw refused("amount", `The price is ${amount}; it is a whole number from 1 to ${AMOUNT_MAX} of the currency's smallest unit.`);
  }
  if (currency !== undefined && !/^[a-z]{3}$/.test(currency)) {
    throw refused("currency", `The currency is ${currency}; it is three letters, such as eur.`);
  }
  if (position !== undefined && !(Number.isInteger(position) && Math.abs(position) <= 10_000)) {
    throw refused("position", "The position is a whole number from -10000 to 10000.");
  }
}

/** In their order. */
export function listPackages(database: Database, where: { isEnabled?: boolean } = {}): Promise<TopupPackage[]> {
  return database.topupPackage.findMany({ where, orderBy: [{ position: "asc" }, { amount: "asc" }, { id: "asc" }], take: PACKAGES_MAX });
}

/** What the log of actions keeps of a package. */
const said = ({ name, note, points, amount, currency, isEnabled, position }: TopupPackage) => ({
  name,
  note,
  points: formatPoints(points),
  amount: Number(amount),
  currency,
  isEnabled,
  position,
});

/** Rejects with `invalid_value` for terms that cannot be sold. */
export async function createPackage(database: Database, terms: PackageTerms & { actor: string }): Promise<TopupPackage> {
  const { actor, ...data } = terms;
  assertTerms(data);
  const made = await database.topupPackage.create({ data: { id: newId("topupPackage"), ...data } }).catch((error: unknown) => {
    throw isCountLimit(error) ? refused("name", `There are at most ${PACKAGES_MAX} packages.`) : error;
  });
  await recordAction(database, { actor, action: "package.create", subject: made.id, after: said(made) });
  return made;
}

/** Changes what is given; payments opened before keep their terms. Rejects with `not_found`, `invalid_value`. */
export async function changePackage(
  database: Database,
  change: Partial<PackageTerms> & { id: string; actor: string },
): Promise<TopupPackage> {
  const { id, actor, ...data } = change;
  assertTerms(data);
  const before = await database.topupPackage.findUnique({ where: { id } });
  if (before === null) throw new RelayError("not_found", { message: `There is no package ${id}.` });
  const after = await database.topupPackage.update({ where: { id }, data });
  await recordAction(database, { actor, action: "package.change", subject: id, before: said(before), after: said(after) });
  return after;
}
