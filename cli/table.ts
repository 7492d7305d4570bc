/** Formats rows as columns for people; numbers are right-aligned. */
export function table(
  rows: readonly Readonly<Record<string, string | number | boolean | null>>[],
): string {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return "none";
  const cells = [
    names,
    ...rows.map((row) =>
      names.map((name) =>
        row[name] === null || row[name] === undefined ? "–" : String(row[name]),
      ),
    ),
  ];
  const widths = names.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = names.map((name) => rows.every((row) => typeof row[name] === "number"));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
