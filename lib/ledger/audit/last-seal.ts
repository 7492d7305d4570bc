/** How far the seals are, and whether they fell behind. */
import type { Reader } from "../../db/pool";

/** The audit runs every hour and leaves a quarter of an hour: this is several that sealed nothing. */
const BEHIND_SECONDS = 6 * 3600;

export interface LastSeal {
  /** The last sealed day; null before the first. */
  readonly day: string | null;
  /**
   * The hash of its seal, in hexadecimal. If it is kept elsewhere, it proves later that no day up to
   * this one was rewritten.
   */
  readonly head: string | null;
  /** Whether there is a seal with the noted hash. */
  readonly isContained: boolean;
}

export async function lastSeal(pool: Reader, noted: string | null = null): Promise<LastSeal> {
  const { rows } = await pool.query<LastSeal>(
    `select (select day::text from ledger_seal order by number desc limit 1) as day,
            (select encode(hash, 'hex') from ledger_seal order by number desc limit 1) as head,
            $1::text is null or exists (select from ledger_seal where encode(hash, 'hex') = $1) as "isContained"`,
    [noted],
  );
  return rows[0] ?? { day: null, head: null, isContained: noted === null };
}

/** Age of the oldest ended request that is in no piece, as SQL; 0 when there is none. */
export const unsealedSeconds = `coalesce((
  select greatest(extract(epoch from now() - r.created_at), 0) from request r, ledger_seal_head h
   where r.id >= h.below order by r.id limit 1), 0)::float8`;

export interface SealState {
  readonly day: string | null;
  readonly head: string | null;
  /** Whether requests of hours ago are in no piece. */
  readonly isBehind: boolean;
}

export async function sealState(pool: Reader): Promise<SealState> {
  const [{ day, head }, { rows }] = await Promise.all([
    lastSeal(pool),
    pool.query<{ seconds: number }>(`select ${unsealedSeconds} as seconds`),
  ]);
  return { day, head, isBehind: (rows[0]?.seconds ?? 0) > BEHIND_SECONDS };
}
