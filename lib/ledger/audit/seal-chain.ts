/** The audit's rules for the seals themselves. The hashes are computed here too, apart from the writer's functions. */
import type { Rule } from "./audit-requests";
import { timeOfId } from "./audit-scope";

const none = "decode(repeat('00', 32), 'hex')";
const joined = (hash: string, order: string) =>
  `sha256(coalesce(string_agg(${hash}, ''::bytea order by ${order}), ''))`;
const accountsHash = joined("record_send(a)", 'a.account_id collate "C"');
const balancesOf = (rows: string) =>
  joined(
    "record_send(row(w.account_id, b.credits_after, b.debits_after))",
    'w.account_id collate "C"',
  ).replace(
    /$/,
    ` from wallet w cross join lateral (select credits_after, debits_after from ledger_seal_account b
       where b.account_id = w.account_id ${rows} order by b.day desc limit 1) b`,
  );

/** What the daily audit relies on: the chain, its pieces, and the last balances. */
export const chainRules: readonly Rule[] = [
  {
    name: "every seal follows the one before, and none was changed",
    sql: `select day::text as broken from (
            select s.*, lag(hash, 1, ${none}) over (order by number) as before, lag(day) over (order by number) as day_before,
                   row_number() over (order by number) as place from ledger_seal s) s
          where number <> place or previous_hash <> before or day <= day_before
             or hash <> sha256(before || record_send(row(day, number, piece, entry, accounts, requests, charges, entries, pieces_hash, accounts_hash, balances_hash)))`,
  },
  {
    name: "every piece follows the one before, and the last one is the last that was read",
    sql: `select number::text as broken from (
            select p.*, lag(below, 1, '00000000-0000-0000-0000-000000000000') over w as before, lag(entry, 1, -9223372036854775807::bigint) over w as entry_before,
                   lag(loss, 1, -9223372036854775807::bigint) over w as loss_before, row_number() over w as place
              from ledger_piece p window w as (order by number)) p
           where number <> place or starts <> before or entry_after <> entry_before or loss_after <> loss_before
          union all
          select 'the head' from ledger_seal_head h left join (select * from ledger_piece order by number desc limit 1) p on true
           where h.piece <> coalesce(p.number, 0) or h.below < p.below or h.entry < p.entry or h.loss < p.loss
              or h.piece < (select coalesce(max(piece), 0) from ledger_seal) or h.seal <> (select coalesce(max(number), 0) from ledger_seal)
              or h.hours_below > ${timeOfId("h.below")}`,
  },
  {
    name: "every seal has the pieces that it was made of",
    sql: `select s.day::text as broken from (select *, lag(piece, 1, 0::bigint) over (order by number) as piece_before from ledger_seal) s
          left join lateral (select ${joined("hash", "number")} as hash from ledger_piece p where p.number > s.piece_before and p.number <= s.piece) p on true
          where p.hash <> s.pieces_hash`,
  },
  {
    name: "the balances of every account are those of the last seal",
    sql: `select s.day::text as broken from (select * from ledger_seal order by number desc limit 1) s
          where s.balances_hash <> (select ${balancesOf("")})`,
  },
];

/** The account rows of the days from one to another, which the daily audit does not read again. */
export const accountRules = (days: string): readonly Rule[] => [
  {
    name: "the sums of every account are those that were sealed",
    sql: `select s.day::text as broken from ledger_seal s
          left join lateral (select ${accountsHash} as hash, count(*) as n, coalesce(sum(a.requests), 0) as requests, coalesce(sum(a.charges), 0) as charges,
                                    coalesce(sum(a.entries), 0) as entries from ledger_seal_account a where a.day = s.day) a on true
          where ${days} and (s.accounts_hash, s.accounts, s.requests, s.charges, s.entries) is distinct from (a.hash, a.n, a.requests, a.charges, a.entries)`,
  },
  {
    name: "every account begins a sealed day with what it had",
    sql: `select a.account_id || ' ' || a.day as broken from ledger_seal_account a
          left join lateral (select credits_after, debits_after from ledger_seal_account b where b.account_id = a.account_id and b.day < a.day
                              order by b.day desc limit 1) b on true
          where ${days.replaceAll("s.day", "a.day")} and (a.credits_before <> coalesce(b.credits_after, 0) or a.debits_before <> coalesce(b.debits_after, 0))`,
  },
  {
    name: "the balances of every account are those of the seal",
    sql: `select s.day::text as broken from ledger_seal s where ${days} and s.balances_hash <> (select ${balancesOf("and b.day <= s.day")})`,
  },
];
