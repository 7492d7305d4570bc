import { useLocale } from "next-intl";
import { useState } from "react";
import { type Direction, type SortValue, sortedBy } from "./sorted-by";

/** What a column head needs to sort its table. */
export type ColumnSort = {
  /** Null while the table is in another order. */
  readonly direction: Direction | null;
  /** Where the server sorts, the address of the table in this order. */
} & ({ readonly onSort: () => void } | { readonly href: string });

/** What a column head gets, by the name of its column. */
export type Sorts<Name extends string> = (name: Name) => { sort?: ColumnSort };

/**
 * Rows that a reader can sort by the columns in `values`, in their given order at first. `isWhole`:
 * false while more rows can be loaded, since the order would be that of a part.
 */
export function useSorted<Row, Name extends string>(
  rows: readonly Row[],
  values: Readonly<Record<Name, (row: Row) => SortValue>>,
  isWhole = true,
): { rows: readonly Row[]; sort: Sorts<Name> } {
  const locale = useLocale();
  const [by, setBy] = useState<{ name: Name; direction: Direction } | null>(null);
  const next = (name: Name) => {
    const first: Direction = rows.some((row) => typeof values[name](row) === "string")
      ? "ascending"
      : "descending";
    const second: Direction = first === "ascending" ? "descending" : "ascending";
    if (by?.name !== name) return setBy({ name, direction: first });
    setBy(by.direction === first ? { name, direction: second } : null);
  };
  const isSorted = by !== null && isWhole;
  return {
    rows: isSorted ? sortedBy(rows, values[by.name], by.direction, locale) : rows,
    sort: (name) =>
      isWhole && rows.length > 1
        ? {
            sort: {
              direction: isSorted && by.name === name ? by.direction : null,
              onSort: () => next(name),
            },
          }
        : {},
  };
}
