export type SortValue = string | number | bigint | null;
export type Direction = "ascending" | "descending";

/** The rows by a value of each: words as in a dictionary, numbers in them by size, null last. */
export function sortedBy<Row>(
  rows: readonly Row[],
  read: (row: Row) => SortValue,
  direction: Direction,
  locale: string,
): Row[] {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
  const sign = direction === "ascending" ? 1 : -1;
  const ofValues = (one: NonNullable<SortValue>, other: NonNullable<SortValue>): number => {
    if (typeof one === "string" || typeof other === "string")
      return compare(String(one), String(other));
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return rows.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * ofValues(a, b);
  });
}
