/** Verifies the hash chain of the audit log. */
import type { Reader } from "../db/pool";

const BATCH = 2000;
const START = Buffer.alloc(32);

export interface ChainReport {
  readonly ok: boolean;
  /** The number of rows that are intact, counted from the first. */
  readonly rows: number;
  /**
   * The hash of the last row, in hexadecimal. If it is kept elsewhere, it proves later that no row
   * up to this one was rewritten.
   */
  readonly head: string;
  /** The first row that breaks the chain, and why; null when none does. */
  readonly broken: {
    readonly seq: string;
    readonly why: "changed" | "missing" | "unlinked" | "beyond_head";
  } | null;
}

interface Row {
  readonly seq: string;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
  readonly is_own: boolean;
}

/**
 * The hash is computed here too, so that a hash function replaced in the database does not go
 * unnoticed.
 */
const nextRows = `
  select seq::text, previous_hash, hash, hash = sha256(previous_hash || convert_to(jsonb_build_array(
           seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor, action, subject, detail)::text, 'UTF8')) as is_own
    from operator_action a where seq > $1 order by a.seq limit ${BATCH}`;

/** What is wrong with the row that should follow; null when nothing is. */
function faultOf(
  row: Row,
  place: bigint,
  previous: Buffer,
): NonNullable<ChainReport["broken"]>["why"] | null {
  if (BigInt(row.seq) !== place) return "missing";
  if (!row.is_own) return "changed";
  return row.previous_hash.equals(previous) ? null : "unlinked";
}

/** Whether the log has a row with this hash (hexadecimal). */
export async function hasAction(pool: Reader, hash: string): Promise<boolean> {
  return (
    (await pool.query("select 1 from operator_action where hash = $1", [Buffer.from(hash, "hex")]))
      .rowCount === 1
  );
}

/** Verifies the whole log in batches, up to the row that was the last when the call started. */
export async function verifyActionChain(pool: Reader): Promise<ChainReport> {
  const heads = await pool.query<{ seq: string; hash: Buffer }>(
    "select seq::text, hash from operator_action_head",
  );
  const head = heads.rows[0] ?? { seq: "0", hash: START };
  let place = 0n;
  let last: Buffer = START;
  const report = (broken: ChainReport["broken"]): ChainReport => ({
    ok: broken === null,
    rows: Number(place),
    head: last.toString("hex"),
    broken,
  });
  while (place < BigInt(head.seq)) {
    const { rows } = await pool.query<Row>(nextRows, [place.toString()]);
    if (rows.length === 0) return report({ seq: (place + 1n).toString(), why: "missing" });
    for (const row of rows) {
      if (place === BigInt(head.seq)) break;
      const why = faultOf(row, place + 1n, last);
      if (why !== null) return report({ seq: (place + 1n).toString(), why });
      place++;
      last = row.hash;
    }
  }
  if (!last.equals(head.hash)) return report({ seq: place.toString(), why: "beyond_head" });
  return report(null);
}
