/** Reads a piece again: its hash, computed apart from the function that wrote it, and its sums. */
import type pg from "pg";
import { onlyRow } from "../../db/only-row";
import { type Piece, pieceScope } from "./audit-scope";

/** A request in the form in which it was hashed, as two rows one after the other; a column that comes later is in no hash. */
export const hashedRequest = `row(r.id, r.account_id, r.api_key_id, r.source, r.request_id, r.family, r.model, r.dialect, r.model_version_id,
  r.price_version_id, r.multiplier_ppm, r.quote_amount, r.hold_amount, r.request_sha256, r.node_id, r.created_at, r.deadline,
  r.id, r.account_id, r.hold_amount, r.outcome, r.amount, r.input_tokens, r.output_tokens, r.usage, r.reason, r.channel_id,
  r.upstream_ref, r.is_stream, r.is_abandoned, r.duration_ms, r.first_byte_ms, r.ended_at)`;
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
}

/** What is wrong with the number of rows of a piece; null when nothing is. */
export function countsFault(found: Counts, piece: StoredPiece): string | null {
  const counts = (["requests", "entries", "losses"] as const)
    .filter((what) => found[what] !== piece[what])
    .map((what) => `${found[what]} ${what} instead of ${piece[what]}`);
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
      `select r.requests, e.entries, e.losses, sha256(r.hash || e.entries_hash || e.losses_hash) = $1 as is_same
         from (select count(*) as requests, ${joined(`sha256(record_send(${hashedRequest}))`, "r.id")} as hash
                 from ${scope.of("request", "id")} r) r,
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
    `select ((r.ended_at at time zone 'UTC')::date)::text as day, r.account_id, count(*) as requests, count(*) filter (where r.amount > 0) as charges,
            sum(r.amount) as charged from ${pieceScope(piece).of("request", "id")} r group by 1, 2`,
  );
  return rows;
}
