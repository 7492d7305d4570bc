/** Comma-separated values as RFC 4180 has them, safe to open in a spreadsheet. */

function cell(value: string | number | null): string {
  if (typeof value === "number") return String(value);
  if (value === null) return "";
  // A spreadsheet would run a cell that begins like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows' members named by `columns`, under a line of their names; every line ends in CRLF. */
export function csvOf<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Partial<Record<Name, string | number | null>>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => cell(row[name] ?? null)).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}
