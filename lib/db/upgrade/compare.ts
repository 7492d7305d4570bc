/** Compares the new tables with the old ones, the sealed hashes and the wallets. */
import type pg from "pg";
import { onlyRow } from "../only-row";
import { transact } from "../transaction";
import { Progress } from "./progress";
import { ended, endedNow, hashed, mergeOnly } from "./rows";
import { sums } from "./sums";

const SHOWN = 5;

/** Each request of a partition is in both, with the same values, and no other. */
async function* comparePartitions(client: pg.ClientBase): AsyncGenerator<string> {
  const { rows } = await client.query<{ part: string; requests: string; total: string }>(
    "select part, requests, sum(requests) over () as total from ledger_upgrade order by part",
  );
  const progress = new Progress("compared", Number(rows[0]?.total ?? 0));
  for (const { part, requests } of rows) {
    const found = await transact(client, async () => {
      await client.query(mergeOnly);
      return onlyRow(
        await client.query<{ rows: string; same: string }>(
          `select (select count(*) from request_${part}) as rows,
                  (select count(*) from operation_${part} o
                     join settlement_${part} s on s.operation_id = o.id
                     join request_${part} r on r.id = o.id
                    where s.account_id = o.account_id and s.hold_amount = o.hold_amount
                      and row(${ended}) is not distinct from row(${endedNow})) as same`,
        ),
      );
    });
    if (found.rows !== requests || found.same !== requests)
      yield `request_${part} has ${found.rows} rows, ${found.same} as before, not ${requests}`;
    progress.add(Number(requests));
  }
  progress.end();
}

/** All pieces but those with requests that only an archive has. */
const piecesQuery = `
  select number::text, starts, below, requests::text, sum(requests) over ()::text as total
    from ledger_piece p
   where not exists (select from ledger_archive_drop d
           where d.starts < p.below and p.starts < d.below
              or exists (select from ledger_apart a where a.piece = p.number
                   and a.operation_id >= d.starts and a.operation_id < d.below))
   order by number`;

const joined = (hash: string, row: string) =>
  `sha256(coalesce(string_agg(${hash}, ''::bytea order by ${row}.id), ''))`;
const entry = `record_send(row(x.id, x.account_id, x.kind, x.ref, x.amount, x.reason, x.actor,
  x.created_at, x.operation_id))`;
const loss = `record_send(row(x.id, x.operation_id, x.cause, x.estimate, x.detail, x.created_at))`;
/** Of the piece $1, with the ids from $2 to before $3. */
const pieceQuery = `
  select p.hash = sha256(r.hash || e.hash || l.hash) and p.requests = r.found as same
    from ledger_piece p, (
      select count(*) as found, ${joined(`sha256(record_send(${hashed}))`, "r")} as hash from (
        select r.* from request r
         where r.id >= $2 and r.id < $3 and not exists (select from ledger_apart a
           where a.operation_id >= $2 and a.operation_id < $3 and a.operation_id = r.id)
        union all
        select r.* from ledger_apart a
          cross join lateral (select * from request r where r.id = a.operation_id limit 1) r
         where a.piece = $1) r
    ) r,
    lateral (select ${joined(entry, "x")} as hash from ledger_entry x
              where x.id > p.entry_after and x.id <= p.entry) e,
    lateral (select ${joined(loss, "x")} as hash from operator_loss x
              where x.id > p.loss_after and x.id <= p.loss) l
   where p.number = $1`;

async function* comparePieces(client: pg.ClientBase): AsyncGenerator<string> {
  const { rows } = await client.query<{
    number: string;
    starts: string;
    below: string;
    requests: string;
    total: string;
  }>(piecesQuery);
  const progress = new Progress("hashed as sealed", Number(rows[0]?.total ?? 0));
  for (const { number, starts, below, requests } of rows) {
    const [found] = (await client.query<{ same: boolean }>(pieceQuery, [number, starts, below]))
      .rows;
    if (!found?.same) yield `piece ${number} has another hash than when it was sealed`;
    progress.add(Number(requests));
  }
  progress.end();
}

async function* compareSums(client: pg.ClientBase): AsyncGenerator<string> {
  for (const query of sums) {
    const { rows } = await client.query<{ text: string }>(`select t.* from (${query}) t(text)`);
    for (const { text } of rows) yield text;
  }
}

/** The first differences; none when both are the same. */
export async function differences(client: pg.ClientBase): Promise<string[]> {
  const found: string[] = [];
  for (const compare of [comparePartitions, comparePieces, compareSums])
    for await (const difference of compare(client))
      if (found.push(difference) === SHOWN) return found;
  return found;
}
