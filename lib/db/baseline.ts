/**
 * The first migrations describe the schema anew. A database of the release before, 0.1.0, is brought to
 * them by `upgrade`; an earlier one needs that release first.
 */

/** The last migration of release 0.1.0. */
const LAST_BEFORE = "20261201000000_released_hours";
/** The first migrations of this release are dated like this. */
const FIRST = "20261203";

export const RELEASE_BEFORE = "0.1.0";

export const isOfBaseline = (name: string): boolean => name.startsWith(FIRST);

const isBefore = (name: string): boolean => name < FIRST;

/** Whether a database, or a backup, with these migrations is of a release before this one. */
export const isBeforeBaseline = (names: readonly string[]): boolean => names.some(isBefore);

/** Throws unless a database with these migrations can be brought to the baseline. */
export function assertUpgradable(names: readonly string[]): void {
  if (!names.includes(LAST_BEFORE))
    throw new Error(
      `The database is of a release before ${RELEASE_BEFORE}: start release ${RELEASE_BEFORE} with it once, or run its \`relay database migrate\`, then start this one.`,
    );
}
