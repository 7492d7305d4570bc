/** Checks the log of actions against its own hashes. */
import type pg from "pg";

const BATCH = 2000;
const START = Buffer.alloc(32);

export interface ChainReport {
  readonly ok: boolean;
  /** Rows found whole, from the first on. */
  readonly rows: number;
  /** The hash of the last row in hexadecimal: kept elsewhere, it proves later that nothing up to here was rewritten. */
  readonly head: string;
  /** The first place that does not hold, and why; null when all hold. */
  readonly broken: { readonly seq: string; readonly why: "changed" | "missing" | "unlinked" | "beyond_head" } | null;
}

interface Row {
  readonly seq: string;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
  readonly is_own: boolean;
}

/** Said here once more, so that a hash function replaced in the database deceives nobody. */
const nextRows = `
  select seq::text, previous_hash, hash, hash = sha256(previous_hash || convert_to(jsonb_build_array(
           seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor, action, subject, detail)::text, 'UTF8')) as is_own
    from operator_action a where seq > $1 order by a.seq limit ${BATCH}`;

/** What is wrong with a row that should follow a place and a hash; null: nothing. */
function faultOf(row: Row, place: bigint, previous: Buffer): NonNullable<ChainReport["broken"]>["why"] | null {
  if (BigInt(row.seq) !== place) return "missing";
  if (!row.is_own) return "changed";
  return row.previous_hash.equals(previous) ? null : "unlinked";
}

/** Whether the log has a row with this hash, in hexadecimal. */
export async function hasAction(pool: Pick<pg.Pool, "query">, hash: string): Promise<boolean> {
  return (await pool.query("select 1 from operator_action where hash = $1", [Buffer.from(hash, "hex")])).rowCount === 1;
}

/** Reads the log whole, a batch at a time, up to where it ended when the call began. */
export async function verifyActionChain(pool: Pick<pg.Pool, "query">): Promise<ChainReport> {
  const heads = await pool.query<{ seq: string; hash: Buffer }>("select seq::text, hash from operator_action_head");
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
