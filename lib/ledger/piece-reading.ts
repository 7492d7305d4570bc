/** Reads a piece again: its hash, computed apart from the function that wrote it, and its sums. */
import type pg from "pg";
import { onlyRow } from "../db/only-row";
import { type Piece, pieceScope } from "./audit-scope";

/** A request in the form in which it was hashed; a column that comes later is in no hash. */
export const hashedRequest = `row(o.id, o.account_id, o.api_key_id, o.source, o.request_id, o.family, o.model, o.dialect, o.model_version_id,
  o.price_version_id, o.multiplier_ppm, o.quote_amount, o.hold_amount, o.request_sha256, o.node_id, o.created_at, o.deadline,
  s.operation_id, s.account_id, s.hold_amount, s.outcome, s.amount, s.input_tokens, s.output_tokens, s.usage, s.reason, s.channel_id,
  s.upstream_ref, s.is_stream, s.is_abandoned, s.duration_ms, s.first_byte_ms, s.created_at)`;
const entry = "row(id, account_id, kind, ref, amount, reason, actor, created_at, operation_id)";
const loss = "row(id, operation_id, cause, estimate, detail, created_at)";
const joined = (hash: string, order: string) =>
  `sha256(coalesce(string_agg(${hash}, ''::bytea order by ${order}), ''))`;

export interface StoredPiece extends Piece {
  readonly requests: string;
  readonly entries: string;
  readonly losses: string;
  readonly ended_from: string | null;
  readonly ended_to: string | null;
  readonly hash: Buffer;
}

export const piecesQuery =
  "select number, starts, below, entry_after, entry, loss_after, loss, requests, entries, losses, ended_from::text, ended_to::text, hash from ledger_piece";

interface Counts {
  readonly requests: string;
  readonly entries: string;
  readonly losses: string;
  readonly open: string;
}

/** What is wrong with the number of rows of a piece; null when nothing is. */
export function countsFault(found: Counts, piece: StoredPiece): string | null {
  const counts = (["requests", "entries", "losses"] as const)
    .filter((what) => found[what] !== piece[what])
    .map((what) => `${found[what]} ${what} instead of ${piece[what]}`);
  if (found.open !== "0") counts.push(`${found.open} requests that never ended`);
  return counts.length === 0 ? null : counts.join(", ");
}

/** A query for the entries and losses of a piece, and their hashes. */
export function entriesOf(piece: Piece): string {
  const scope = pieceScope(piece);
  return `select e.entries, e.hash as entries_hash, l.losses, l.hash as losses_hash
    from (select count(*) as entries, ${joined(`record_send(${entry})`, "id")} as hash from ${scope.entries} e) e,
         (select count(*) as losses, ${joined(`record_send(${loss})`, "id")} as hash from ${scope.losses} l) l`;
}

/** What is wrong with the rows of a piece; null when nothing is. */
export async function faultOfPiece(
  client: Pick<pg.ClientBase, "query">,
  piece: StoredPiece,
): Promise<string | null> {
  const scope = pieceScope(piece);
  const found = onlyRow(
    await client.query<Counts & { is_same: boolean }>(
      `select r.requests, r.open, e.entries, e.losses, sha256(r.hash || e.entries_hash || e.losses_hash) = $1 as is_same
         from (select count(s.operation_id) as requests, count(*) filter (where s.operation_id is null) as open,
                      ${joined(`sha256(record_send(${hashedRequest}))`, "s.operation_id) filter (where s.operation_id is not null")} as hash
                 from ${scope.of("operation", "id")} o full join ${scope.of("settlement", "operation_id")} s on s.operation_id = o.id) r,
              (${entriesOf(piece)}) e`,
      [piece.hash],
    ),
  );
  return countsFault(found, piece) ?? (found.is_same ? null : "a row was changed");
}

/** The sums of an account on a day on which requests of the piece ended. */
export interface PieceSum {
  readonly day: string;
  readonly account_id: string;
  readonly requests: string;
  readonly charges: string;
  readonly charged: string;
}

export async function sumsOfPiece(
  client: Pick<pg.ClientBase, "query">,
  piece: Piece,
): Promise<PieceSum[]> {
  const { rows } = await client.query<PieceSum>(
    `select ((s.created_at at time zone 'UTC')::date)::text as day, s.account_id, count(*) as requests, count(*) filter (where s.amount > 0) as charges,
            sum(s.amount) as charged from ${pieceScope(piece).of("settlement", "operation_id")} s group by 1, 2`,
  );
  return rows;
}
