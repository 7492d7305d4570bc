/** Tables as text by RFC 4180, safe to open in a spreadsheet. */
export type CsvField = string | number | null;

const decimal = /^-?\d+(\.\d+)?$/;

/** What a spreadsheet would take for a formula is shown as text; numbers stay numbers. */
function fieldText(field: CsvField): string {
  if (field === null) return "";
  const text = String(field);
  const safe = /^[=+\-@\t\r]/.test(text) && !decimal.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record with its line end. */
export function csvLine(fields: readonly CsvField[]): string {
  return `${fields.map(fieldText).join(",")}\r\n`;
}

/** The rows' members named by `columns`, under a line of their names. */
export function csvOf<Name extends string>(columns: readonly Name[], rows: readonly Readonly<Partial<Record<Name, CsvField>>>[]): string {
  return [csvLine(columns), ...rows.map((row) => csvLine(columns.map((name) => row[name] ?? null)))].join("");
}
