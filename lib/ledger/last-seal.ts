import type pg from "pg";

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

export async function lastSeal(
  pool: Pick<pg.Pool, "query">,
  noted: string | null = null,
): Promise<LastSeal> {
  const { rows } = await pool.query<LastSeal>(
    `select (select day::text from ledger_seal order by number desc limit 1) as day,
            (select encode(hash, 'hex') from ledger_seal order by number desc limit 1) as head,
            $1::text is null or exists (select from ledger_seal where encode(hash, 'hex') = $1) as "isContained"`,
    [noted],
  );
  return rows[0] ?? { day: null, head: null, isContained: noted === null };
}
