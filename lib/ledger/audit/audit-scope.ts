/**
 * What an audit reads. Its rules are written once, over these relations: over all rows, over those
 * of one piece, or over what is new since the last piece, with the sealed sums for the rest.
 */
import type pg from "pg";

export interface Scope {
  /** The rows of a table whose id, in this column, is of a request in the scope. */
  of(table: string, column: string): string;
  readonly entries: string;
  readonly losses: string;
  /** Entries that are in no seal's balances. */
  readonly entriesSinceSeal: string;
  /** The balances of every account at the last seal. */
  readonly sealed: string;
  /** The sums of pieces that no seal has counted. */
  readonly draft: string;
  /** The last sealed day, and the journal's lines in all seals, as SQL. */
  readonly sealedDay: string;
  readonly sealedLines: string;
  /** Whether what a key spent is read from sums that other rules compare, not from every request. */
  readonly isNew: boolean;
}

/** SQL: the time of an id, given as SQL too. */
export const timeOfId = (id: string): string =>
  `to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

const nothing = "where false";

/** Every row of every table. */
export const wholeScope: Scope = {
  of: (table) => table,
  entries: "ledger_entry",
  losses: "operator_loss",
  entriesSinceSeal: "ledger_entry",
  sealed: `(select account_id, credits_after, debits_after from ledger_seal_account ${nothing})`,
  draft: `(select * from ledger_draft ${nothing})`,
  sealedDay: "date '-infinity'",
  sealedLines: "0",
  isNew: false,
};

export interface Piece {
  readonly number: string;
  readonly starts: string;
  readonly below: string;
  readonly entry_after: string;
  readonly entry: string;
  readonly loss_after: string;
  readonly loss: string;
}

/** Rows `x` of `table` whose request stands in `ledger_apart`, so outside the piece of its id. `offset 0` makes PostgreSQL look each up by its id. */
export const apartOf = (table: string, column: string) =>
  `ledger_apart a cross join lateral (select * from ${table} x where x.${column} = a.operation_id offset 0) x`;

/** The rows of one piece. No sums are compared in it. */
export function pieceScope(piece: Piece): Scope {
  return {
    ...wholeScope,
    of: (
      table,
      column,
    ) => `(select x.* from ${table} x where x.${column} >= '${piece.starts}' and x.${column} < '${piece.below}'
        and not exists (select from ledger_apart a where a.operation_id = x.${column} and a.piece is distinct from ${piece.number})
      union all select x.* from ${apartOf(table, column)}
        where a.piece = ${piece.number} and (a.operation_id < '${piece.starts}' or a.operation_id >= '${piece.below}'))`,
    entries: `(select * from ledger_entry where id > ${piece.entry_after} and id <= ${piece.entry})`,
    losses: `(select * from operator_loss where id > ${piece.loss_after} and id <= ${piece.loss})`,
  };
}

/** The ended requests of a range of ids, without those in `ledger_apart`. */
export const rangeScope = ({ starts, below }: Pick<Piece, "starts" | "below">): Scope => ({
  ...wholeScope,
  of: (table, column) =>
    `(select x.* from ${table} x where x.${column} >= '${starts}' and x.${column} < '${below}'
        and not exists (select from ledger_apart a where a.operation_id = x.${column}))`,
});

/** The requests that name a piece, because they do not belong to one by their id. */
export const apartScope = ({ number }: Pick<Piece, "number">): Scope => ({
  ...wholeScope,
  of: (table, column) => `(select x.* from ${apartOf(table, column)} where a.piece = ${number})`,
});

interface Head {
  readonly below: string;
  readonly entry: string;
  readonly loss: string;
  readonly sealed_entry: string;
  readonly day: string | null;
}

const headQuery = `
  select p.below, p.entry, p.loss, coalesce(s.entry, -9223372036854775807) as sealed_entry, s.day::text
    from (select * from ledger_piece order by number desc limit 1) p left join (select * from ledger_seal order by number desc limit 1) s on true`;

/** What is in no piece, in the snapshot of the transaction; all rows where there is none. */
export async function newScope(client: Pick<pg.ClientBase, "query">): Promise<Scope> {
  const { rows } = await client.query<Head>(headQuery);
  const head = rows[0];
  if (head === undefined) return wholeScope;
  return {
    of: (table, column) => `(select x.* from ${table} x where x.${column} >= '${head.below}'
        and not exists (select from ledger_apart a where a.operation_id = x.${column} and a.piece is not null)
      union all select x.* from ${apartOf(table, column)}
        where a.piece is null and a.operation_id < '${head.below}')`,
    entries: `(select * from ledger_entry where id > ${head.entry})`,
    losses: `(select * from operator_loss where id > ${head.loss})`,
    entriesSinceSeal: `(select * from ledger_entry where id > ${head.sealed_entry})`,
    sealed: `(select w.account_id, b.credits_after, b.debits_after from wallet w cross join lateral (
        select credits_after, debits_after from ledger_seal_account b where b.account_id = w.account_id order by b.day desc limit 1) b)`,
    draft: "ledger_draft",
    sealedDay: head.day === null ? wholeScope.sealedDay : `date '${head.day}'`,
    sealedLines: "(select coalesce(sum(charges + entries), 0) from ledger_seal)",
    isNew: true,
  };
}
