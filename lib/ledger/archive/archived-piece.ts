/** Pieces with requests of dropped months: those are read from the archived files. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { onlyRow } from "../../db/only-row";
import { type Piece, pieceScope } from "../audit/audit-scope";
import {
  countsFault,
  entriesOf,
  faultOfPiece,
  hashedRequest,
  type PieceSum,
  type StoredPiece,
} from "../audit/piece-reading";
import type { ArchivePart } from "./archive-register";
import { groupsOf, type ReadRow, rowsOfLines } from "./archive-rows";

type Queries = Pick<pg.ClientBase, "query">;

/** A file cannot be read, or is not what was noted of it. */
export class ArchiveFault extends Error {}

export interface ArchivedFiles {
  /** The requests of a part. Rejects with `ArchiveFault`. */
  lines(part: ArchivePart): AsyncIterable<string>;
}

/** Whether some of the piece's requests were dropped. */
async function isDroppedIn(client: Queries, piece: Piece): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from ledger_archive_drop d where d.starts < $2 and d.below > $1
        or exists (select from ledger_apart a where a.piece = $3 and a.operation_id >= d.starts and a.operation_id < d.below) limit 1`,
    [piece.starts, piece.below, piece.number],
  );
  return rowCount === 1;
}

async function partsOfPiece(client: Queries, piece: Piece): Promise<ArchivePart[]> {
  const { rows } = await client.query<ArchivePart>(
    `select p.number, p.starts, p.below, p.file, p.bytes::float8 as bytes, p.sha256, p.requests::float8 as requests
       from ledger_archive_part p join ledger_archive_drop d on d.month = p.month
      where p.starts < $2 and p.below > $1
         or exists (select from ledger_apart a where a.piece = $3 and a.operation_id >= p.starts and a.operation_id < p.below) order by p.starts`,
    [piece.starts, piece.below, piece.number],
  );
  return rows;
}

/** Whether a request is in the piece, by its id. */
async function membersOf(client: Queries, piece: Piece): Promise<(id: string) => boolean> {
  const { rows } = await client.query<{ id: string; is_its: boolean }>(
    `select operation_id as id, piece is not distinct from $3::bigint as is_its from ledger_apart
      where piece = $3 or (operation_id >= $1 and operation_id < $2)`,
    [piece.starts, piece.below, piece.number],
  );
  const apart = new Map(rows.map(({ id, is_its }) => [id, is_its]));
  return (id) => apart.get(id) ?? (id >= piece.starts && id < piece.below);
}

/** Refunds of a dropped charge are compared with the charge in its file. */
async function wrongRefund(client: Queries, rows: readonly ReadRow[]): Promise<string | null> {
  const { rows: wrong } = await client.query<{ id: string }>(
    `select r.id from unnest($1::uuid[], $2::text[], $3::bigint[]) r(id, account_id, amount) join ledger_entry e on e.operation_id = r.id
      group by r.id, r.amount, r.account_id having sum(e.amount) > r.amount or bool_or(e.kind <> 'refund' or e.account_id <> r.account_id) limit 1`,
    [rows.map(({ id }) => id), rows.map((row) => row.account_id), rows.map(({ amount }) => amount)],
  );
  return wrong[0]?.id ?? null;
}

const FIRST_ID = /"id":"([0-9a-f-]{36})"/;

/** The dropped requests of a piece, by their ids. Rejects with `ArchiveFault`. */
async function droppedOfPiece(
  client: Queries,
  files: ArchivedFiles,
  piece: Piece,
): Promise<Map<string, ReadRow>> {
  const isMember = await membersOf(client, piece);
  const found = new Map<string, ReadRow>();
  async function take(lines: readonly string[]): Promise<void> {
    const rows = await rowsOfLines(client, lines);
    const wrong = await wrongRefund(client, rows);
    if (wrong !== null) throw new ArchiveFault(`${wrong} has other refunds than its charge allows`);
    for (const row of rows) {
      if (!row.belongs || found.has(row.id))
        throw new ArchiveFault(`request ${row.id} is not one request in its file`);
      found.set(row.id, row);
    }
  }
  async function* ownLines(part: ArchivePart): AsyncGenerator<string> {
    for await (const line of files.lines(part))
      if (isMember(FIRST_ID.exec(line)?.[1] ?? "")) yield line;
  }
  for (const part of await partsOfPiece(client, piece))
    for await (const lines of groupsOf(ownLines(part))) await take(lines);
  return found;
}

/** As `faultOfPiece`, with requests that are not in the tables. */
async function faultWithDropped(
  client: Queries,
  piece: StoredPiece,
  dropped: ReadonlyMap<string, ReadRow>,
): Promise<string | null> {
  const scope = pieceScope(piece);
  const { rows } = await client.query<{ id: string; hash: Buffer }>(
    `select r.id, sha256(record_send(${hashedRequest})) as hash from ${scope.of("request", "id")} r`,
  );
  const hashes = new Map([...dropped].map(([id, { hash }]) => [id, hash]));
  for (const { id, hash } of rows) {
    if (hashes.has(id)) return `request ${id} is both in the table and in a dropped file`;
    hashes.set(id, hash);
  }
  const { entries, losses, entries_hash, losses_hash } = onlyRow(
    await client.query<
      Record<"entries" | "losses", string> & Record<"entries_hash" | "losses_hash", Buffer>
    >(entriesOf(piece)),
  );
  const fault = countsFault({ requests: String(hashes.size), entries, losses }, piece);
  if (fault !== null) return fault;
  const requests = createHash("sha256");
  for (const id of [...hashes.keys()].sort()) requests.update(hashes.get(id) ?? "");
  const whole = createHash("sha256").update(requests.digest());
  const hash = whole.update(entries_hash).update(losses_hash).digest();
  return hash.equals(piece.hash) ? null : "a row was changed";
}

/** The sums of dropped requests, as `sumsOfPiece` has them. */
function sumsOfDropped(dropped: ReadonlyMap<string, ReadRow>): PieceSum[] {
  return [...dropped.values()].map(({ day, account_id, amount }) => ({
    day,
    account_id,
    requests: "1",
    charges: amount === "0" ? "0" : "1",
    charged: amount,
  }));
}

export interface ReadPiece {
  /** What is wrong with its rows; null when nothing is. */
  readonly fault: string | null;
  /** Of those of its requests that were dropped. */
  readonly sums: readonly PieceSum[];
}

/** Reads a piece from the tables, and from files what was dropped of it. */
export async function readStored(
  client: Queries,
  files: ArchivedFiles,
  piece: StoredPiece,
): Promise<ReadPiece> {
  try {
    if (!(await isDroppedIn(client, piece)))
      return { fault: await faultOfPiece(client, piece), sums: [] };
    const dropped = await droppedOfPiece(client, files, piece);
    return {
      fault: await faultWithDropped(client, piece, dropped),
      sums: sumsOfDropped(dropped),
    };
  } catch (error) {
    if (error instanceof ArchiveFault) return { fault: error.message, sums: [] };
    throw error;
  }
}
