/** Tables as CSV (RFC 4180) that are safe to open in a spreadsheet. */
import { type Options, stringify } from "csv-stringify/sync";

export type CsvField = string | number | null;

const decimal = /^-?\d+(\.\d+)?$/;

const options: Options = {
  record_delimiter: "\r\n",
  quote_record_delimiter: true,
  // Text that a spreadsheet would take for a formula is escaped.
  escape_formulas: true,
  // Amounts are strings; negative ones stay numbers.
  cast: {
    string: (text) =>
      text.startsWith("-") && decimal.test(text) ? { value: text, escape_formulas: false } : text,
  },
};

/** One record with its line end. */
export function csvLine(fields: readonly CsvField[]): string {
  return stringify([fields], options);
}

/** Records with their line ends; faster than each by itself. */
export function csvLines(records: readonly (readonly CsvField[])[]): string {
  return stringify([...records], options);
}

/** The rows' members named by `columns`, below a header line. */
export function csvOf<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Partial<Record<Name, CsvField | undefined>>>[],
): string {
  const records = rows.map((row) => columns.map((name) => row[name] ?? null));
  return stringify([columns, ...records], options);
}
