/**
 * Which rows of a backup never change: the ended requests in the pieces of the audit
 * (`ledger_piece`). They can be read before everything else, piece by piece.
 */
import type pg from "pg";
import { copyTarget, quoted, type Table } from "./tables";

export interface Pieces {
  readonly ranges: readonly { readonly starts: string; readonly below: string }[];
  /** Rows from this id on are in none of them. */
  readonly below: string;
}

export const isInPieces = ({ name }: Table): boolean => name === "request";

export async function readPieces(client: Pick<pg.ClientBase, "query">): Promise<Pieces> {
  const { rows: ranges } = await client.query<{ starts: string; below: string }>(
    "select starts, below from ledger_piece order by number",
  );
  return { ranges, below: ranges.at(-1)?.below ?? "00000000-0000-0000-0000-000000000000" };
}

const columnsOf = ({ columns }: Table) => columns.map((column) => `t.${quoted(column)}`).join(", ");

/** A query for each piece. What is apart is left out, whichever piece counts it. */
export function sourcesOf(table: Table, { ranges }: Pieces): string[] {
  return ranges.map(
    ({ starts, below }) =>
      `(select ${columnsOf(table)} from ${quoted(table.name)} t where t.id >= '${starts}' and t.id < '${below}'
        and not exists (select from ledger_apart a where a.operation_id = t.id))`,
  );
}

/** The rows that `sourcesOf` leaves out; of other tables all. */
export function restOf(table: Table, { below }: Pieces): string {
  if (!isInPieces(table)) return copyTarget(table);
  const columns = columnsOf(table);
  return `(select ${columns} from ${quoted(table.name)} t where t.id >= '${below}'
    union all select ${columns} from ledger_apart a join ${quoted(table.name)} t on t.id = a.operation_id where t.id < '${below}')`;
}
