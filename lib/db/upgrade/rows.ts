/** The columns of the ledger of release 0.1.0 and of this one. */

export const heldColumns = [
  "id",
  "account_id",
  "api_key_id",
  "source",
  "request_id",
  "family",
  "dialect",
  "model",
  "price_version_id",
  "model_version_id",
  "multiplier_ppm",
  "quote_amount",
  "hold_amount",
  "request_sha256",
  "node_id",
  "created_at",
  "deadline",
] as const;
const endColumns = [
  "outcome",
  "amount",
  "input_tokens",
  "output_tokens",
  "usage",
  "reason",
  "channel_id",
  "upstream_ref",
  "is_stream",
  "is_abandoned",
  "duration_ms",
  "first_byte_ms",
] as const;

const of = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${table}.${column}`).join(", ");

/** Of an operation `o`. */
const held = of("o", heldColumns);
/** The same of an open one, whose row `q` says which process owes its end. */
export const heldOpen = held.replace("o.node_id", "q.node_id");
/** Of a row `r` of the new tables. */
export const heldNow = of("r", heldColumns);
/** Of an operation `o` and its settlement `s`, in the order of `request`. */
export const ended = `${held}, ${of("s", endColumns)}, s.created_at`;
/** The same of a request `r`. */
export const endedNow = `${heldNow}, ${of("r", endColumns)}, r.ended_at`;
export const requestColumns = [...heldColumns, ...endColumns, "ended_at"].join(", ");

/** A request `r` as seals hash it: an operation, then its settlement. */
export const hashed = `row(r.id, r.account_id, r.api_key_id, r.source, r.request_id, r.family,
  r.model, r.dialect, r.model_version_id, r.price_version_id, r.multiplier_ppm, r.quote_amount,
  r.hold_amount, r.request_sha256, r.node_id, r.created_at, r.deadline, r.id, r.account_id,
  r.hold_amount,
  ${of("r", endColumns)}, r.ended_at)`;

/**
 * Rows that lie in the order of their ids on both sides are merged; sorting or hashing millions of
 * them would need room, and a loop would look up each one.
 */
export const mergeOnly =
  "set local enable_hashjoin = off; set local enable_sort = off; set local enable_nestloop = off";
