/**
 * Which requests are in archived files, and what must be in each file. The database's functions check
 * every figure against its rows before they note it.
 */
import type pg from "pg";
import { firstOperationId, timeOfOperation } from "../../crypto/ids";
import { onlyRow } from "../../db/only-row";
import type { Reader } from "../../db/pool";
import type { Rule } from "../audit/audit-requests";

type Queries = Pick<pg.ClientBase, "query">;

/** Younger months are needed by refunds, receipts and work that runs. The database checks it too. */
const ARCHIVE_MONTHS_LEAST = 3;

/** A month as `2026-08`, its first day, and the ids of its requests. */
export interface Month {
  readonly name: string;
  readonly day: string;
  readonly starts: string;
  readonly below: string;
}

export function monthOf(time: number): Month {
  const at = new Date(time);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const day = new Date(Date.UTC(year, month)).toISOString().slice(0, 10);
  const [starts, below] = [Date.UTC(year, month), Date.UTC(year, month + 1)].map(firstOperationId);
  return { name: day.slice(0, 7), day, starts: starts ?? "", below: below ?? "" };
}

export interface ArchivePart {
  readonly number: number;
  readonly starts: string;
  readonly below: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly requests: number;
  readonly charges: number;
  readonly charged: string;
  readonly accounts_hash: Buffer;
  readonly rows_hash: Buffer;
}

const partColumns = `number, starts, below, file, bytes::float8 as bytes, sha256, requests::float8 as requests, charges::float8 as charges,
  charged::text as charged, accounts_hash, rows_hash`;

export async function partsOf(client: Queries, month: Month): Promise<ArchivePart[]> {
  const { rows } = await client.query<ArchivePart>(
    `select ${partColumns} from ledger_archive_part where month = $1 order by number`,
    [month.day],
  );
  return rows;
}

/** A request by its id in the ledger, or by the id in its answer, made between two of those ids. */
export type ArchivedName =
  | { readonly operation: string }
  | { readonly request: string; readonly between: readonly [string, string] };

/** Single requests that are only in files. */
export interface ArchivedRequests {
  /**
   * The line of a request, which is JSON; null when no file of a dropped month has it. `by`: the
   * account that asks, or null. Rejects with `service_busy` while it cannot be looked for.
   */
  find(name: ArchivedName, by: string | null): Promise<string | null>;
}

/** The parts of dropped months that may have a request, the first one first. */
export async function droppedPartsWith(client: Reader, name: ArchivedName): Promise<ArchivePart[]> {
  const [from, to] = "operation" in name ? [name.operation, name.operation] : name.between;
  const { rows } = await client.query<ArchivePart>(
    `select ${partColumns} from ledger_archive_part p
      where starts <= $2 and below > $1 and exists (select from ledger_archive_drop d where d.month = p.month) order by starts`,
    [from, to],
  );
  return rows;
}

/** The part with a request, by its id; null when it is in none. */
export async function partWith(client: Reader, id: string): Promise<ArchivePart | null> {
  const { rows } = await client.query<ArchivePart>(
    `select ${partColumns} from ledger_archive_part where starts <= $1 and below > $1`,
    [id],
  );
  return rows[0] ?? null;
}

export interface ArchivedMonth {
  readonly month: string;
  readonly isComplete: boolean;
  /** Whether its requests are only in the files. */
  readonly isDropped: boolean;
  readonly parts: number;
  readonly requests: number;
  readonly bytes: number;
  /** In micropoints. */
  readonly charged: string;
  readonly head: string | null;
  readonly madeAt: Date | null;
}

/** Every month of which there is a file, the last one first. */
export async function archivedMonths(client: Reader): Promise<ArchivedMonth[]> {
  const { rows } = await client.query<ArchivedMonth>(
    `select to_char(p.month, 'YYYY-MM') as month, a.month is not null as "isComplete", d.month is not null as "isDropped", count(*)::int as parts, sum(p.requests)::float8 as requests,
            sum(p.bytes)::float8 as bytes, sum(p.charged)::text as charged, encode(a.hash, 'hex') as head, a.made_at as "madeAt"
       from ledger_archive_part p left join ledger_archive a on a.month = p.month left join ledger_archive_drop d on d.month = p.month
      group by p.month, a.month, d.month order by p.month desc`,
  );
  return rows;
}

/** The months with requests that are old enough and not archived, the first one first. */
export async function monthsToArchive(client: Queries): Promise<Month[]> {
  const { first, now } = onlyRow(
    await client.query<{ first: string | null; now: Date }>(
      "select (select id from request order by id limit 1)::text as first, now() as now",
    ),
  );
  if (first === null) return [];
  const until = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ARCHIVE_MONTHS_LEAST);
  const months: Month[] = [];
  const started = new Date(timeOfOperation(first));
  for (let count = 0; ; count++) {
    const time = Date.UTC(started.getUTCFullYear(), started.getUTCMonth() + count);
    if (time >= until) return months;
    const month = monthOf(time);
    const { rowCount } = await client.query(
      `select from request where id >= $1 and id < $2 and not exists (select from ledger_archive where month = $3) limit 1`,
      [month.starts, month.below, month.day],
    );
    if (rowCount === 1) months.push(month);
  }
}

/** The archived months that ended at least `months` full months ago and are still in the tables, oldest first. */
export async function monthsToDrop(client: Queries, months: number): Promise<Month[]> {
  const { rows } = await client.query<{ month: string }>(
    `select month::text from ledger_archive a where not exists (select from ledger_archive_drop d where d.month = a.month)
        and month + make_interval(months => $1::int + 1) <= now() at time zone 'UTC' order by month`,
    [months],
  );
  return rows.map(({ month }) => monthOf(Date.parse(month)));
}

export async function isArchived(client: Queries, month: Month): Promise<boolean> {
  const found = await client.query("select from ledger_archive where month = $1", [month.day]);
  return found.rowCount === 1;
}

/** Whether a month's requests are only in its files. */
export async function isDropped(client: Queries, month: Month): Promise<boolean> {
  const found = await client.query("select from ledger_archive_drop where month = $1", [month.day]);
  return found.rowCount === 1;
}

const refusals: Readonly<Record<string, string>> = {
  no_month: "it is no month",
  too_young: `fewer than ${ARCHIVE_MONTHS_LEAST} full months have passed since`,
  open: "a request or a task of it has not ended",
  not_sealed: "the audit has not sealed all of it",
  empty: "it has no requests",
};

/** Why a month cannot be archived now; null when it can. */
export async function archiveRefusal(client: Queries, month: Month): Promise<string | null> {
  const { refusal } = onlyRow(
    await client.query<{ refusal: string | null }>(
      `select coalesce(ledger_archive_refusal($1::date), case when not exists (select from request where id >= $2 and id < $3) then 'empty' end) as refusal`,
      [month.day, month.starts, month.below],
    ),
  );
  return refusal === null ? null : (refusals[refusal] ?? refusal);
}

export interface NextPart {
  readonly number: number;
  readonly starts: string;
  readonly below: string;
  readonly file: string;
}

/**
 * The next part of a month, with at most `most` requests; null when all are noted. The name of its
 * file depends on the seal of the month, so it is the same again after a kill, and no installation
 * with the same bucket has it.
 */
export async function nextPart(
  client: Queries,
  month: Month,
  most: number,
): Promise<NextPart | null> {
  const next = onlyRow(
    await client.query<{
      number: number;
      starts: string;
      below: string;
      is_any: boolean;
      seal: string;
    }>(
      `select n.number, n.starts, coalesce((select r.id from request r where r.id >= n.starts and r.id < $3 order by r.id offset $4 limit 1), $3) as below,
              exists (select from request r where r.id >= n.starts and r.id < $3) as is_any,
              (select encode(s.hash, 'hex') from ledger_seal s join ledger_piece p on p.number = s.piece where p.below >= $3 order by s.number limit 1) as seal
         from (select coalesce(max(p.number), 0) + 1 as number, coalesce((array_agg(p.below order by p.number desc))[1], $2) as starts
                 from ledger_archive_part p where p.month = $1) n`,
      [month.day, month.starts, month.below, most],
    ),
  );
  if (!next.is_any) return null;
  const { number, starts, below, seal } = next;
  const place = String(number).padStart(4, "0");
  const file = `archive_${month.name.replace("-", "_")}_${place}_${seal.slice(0, 16)}.gz`;
  return { number, starts, below, file };
}

export async function notePart(client: Queries, month: Month, part: ArchivePart): Promise<void> {
  const { below, file, bytes, sha256, requests, charges, charged, accounts_hash, rows_hash } = part;
  await client.query("select ledger_archive_add($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
    month.day,
    below,
    file,
    bytes,
    sha256,
    requests,
    charges,
    charged,
    accounts_hash,
    rows_hash,
  ]);
}

export async function closeArchive(client: Queries, month: Month): Promise<void> {
  await client.query("select ledger_archive_close($1)", [month.day]);
}

const zeros = "decode(repeat('00', 32), 'hex')";

/** What is noted of archived months, and of those that were dropped. The hashes are computed here too, apart from the functions that wrote them. */
export const archiveRules: readonly Rule[] = [
  {
    name: "every archived month follows the one before, and none was changed",
    sql: `select to_char(month, 'YYYY-MM') as broken from (
            select a.*, lag(hash, 1, ${zeros}) over (order by number) as before, row_number() over (order by number) as place from ledger_archive a) a
          where number <> place or previous_hash <> before
             or hash <> sha256(before || record_send(row(month, number, parts, bytes, requests, charges, charged, parts_hash, seal, seal_hash)))
             or not exists (select from ledger_seal s where s.number = a.seal and s.hash = a.seal_hash)`,
  },
  {
    name: "every archived month has the parts that it was made of",
    sql: `select to_char(a.month, 'YYYY-MM') as broken from ledger_archive a left join lateral (
            select count(*) as parts, sum(p.bytes) as bytes, sum(p.requests) as requests, sum(p.charges) as charges, sum(p.charged) as charged,
                   sha256(coalesce(string_agg(record_send(row(p.number, p.starts, p.below, p.file, p.bytes, p.sha256, p.requests, p.charges, p.charged,
                     p.accounts_hash, p.rows_hash)), ''::bytea order by p.number), '')) as hash
              from ledger_archive_part p where p.month = a.month) p on true
          where (a.parts, a.bytes, a.requests, a.charges, a.charged, a.parts_hash) is distinct from (p.parts, p.bytes, p.requests, p.charges, p.charged, p.hash)`,
  },
  {
    name: "every dropped month follows the one before, is archived, and has no rows left",
    sql: `select to_char(month, 'YYYY-MM') as broken from (
            select d.*, lag(hash, 1, ${zeros}) over (order by number) as before, row_number() over (order by number) as place from ledger_archive_drop d) d
          where number <> place or previous_hash <> before
             or hash <> sha256(before || record_send(row(month, number, starts, below, archive_hash)))
             or not exists (select from ledger_archive a where a.month = d.month and a.hash = d.archive_hash)
             or concat(starts, ' ', below) <> (select concat(min(p.starts::text), ' ', max(p.below::text)) from ledger_archive_part p where p.month = d.month)
             or exists (select from request r where r.id >= starts and r.id < below)
             or exists (select from open_request o where o.id >= starts and o.id < below)`,
  },
];
