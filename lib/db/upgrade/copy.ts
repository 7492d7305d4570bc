/** Copies requests into the new tables. Stopped anywhere, it goes on where it was. */
import type pg from "pg";
import { pause } from "../../timing/pause";
import { onlyRow } from "../only-row";
import { transact } from "../transaction";
import { Progress } from "./progress";
import { ended, heldColumns, heldOpen, mergeOnly, requestColumns } from "./rows";

/** Requests in a transaction. */
const PIECE = 10_000;
/** Requests that are added to the sums in a transaction. */
const SUMS_PIECE = 2000;
const ASK_AGAIN_MS = 200;

/** What waited for the sums of hours is in those of days already, so the old functions count it. */
export async function finishSums(client: pg.ClientBase): Promise<void> {
  const { total } = onlyRow(
    await client.query<{ total: string }>("select count(*)::text as total from usage_waiting"),
  );
  const progress = new Progress("added to the sums", Number(total));
  for (const name of ["usage_count_waiting", "usage_count_earlier"])
    for (;;) {
      const { n } = onlyRow(
        await client.query<{ n: number | null }>(`select ${name}($1) as n`, [SUMS_PIECE]),
      );
      if (n === 0) break;
      // A connection of a process that was killed may still count.
      if (n === null) await pause(ASK_AGAIN_MS);
      progress.add(n ?? 0);
    }
  progress.end();
}

/** The next piece of a partition and the note of it, in one statement. */
const nextPiece = (part: string, piece: number) => `
  with copied as (
    insert into request_${part} (${requestColumns})
      select ${ended} from operation_${part} o join settlement_${part} s on s.operation_id = o.id
       where o.id > $1 and s.operation_id > $1 order by o.id limit ${piece} returning id
  ), noted as (
    select count(*) as n, (select id from copied order by id desc limit 1) as last from copied
  )
  update ledger_upgrade u set copied = u.copied + n, position = coalesce(last, position)
    from noted where part = '${part}' and position = $1 returning n::int, position`;

async function copyPart(
  client: pg.ClientBase,
  { part, bound, position }: { part: string; bound: string; position: string },
  progress: Progress,
  piece: number,
): Promise<void> {
  for (let after = position; ; ) {
    const copied = await transact(client, async () => {
      await client.query(mergeOnly);
      // A piece that is lost in a crash is copied again.
      await client.query("set local synchronous_commit = off");
      return onlyRow(
        await client.query<{ n: number; position: string }>(nextPiece(part, piece), [after]),
      );
    });
    if (copied.n === 0) break;
    after = copied.position;
    progress.add(copied.n);
  }
  await transact(client, async () => {
    // The indexes are made here, at once.
    await client.query("set local maintenance_work_mem = '256MB'");
    await client.query(`alter table request attach partition request_${part} ${bound}`);
    await client.query("update ledger_upgrade set is_attached = true where part = $1", [part]);
  });
}

/** The ended ones, oldest month first. */
export async function copyEnded(client: pg.ClientBase, piece = PIECE): Promise<void> {
  const { total, copied } = onlyRow(
    await client.query<{ total: string; copied: string }>(
      "select sum(requests)::text as total, sum(copied)::text as copied from ledger_upgrade",
    ),
  );
  const { rows } = await client.query<{ part: string; bound: string; position: string }>(
    `select part, bound, position from ledger_upgrade where not is_attached
      order by bound = 'DEFAULT', bound`,
  );
  if (rows.length === 0) return;
  const progress = new Progress("copied", Number(total), Number(copied));
  for (const part of rows) await copyPart(client, part, progress, piece);
  progress.end();
  await client.query("analyze request");
}

/** The open ones: few, so all at once. Those of tasks belong to no process. */
export const copyOpen = (client: pg.ClientBase): Promise<void> =>
  transact(client, async () => {
    await client.query("delete from open_request");
    await client.query(
      `insert into open_request (${heldColumns.join(", ")}, is_task)
         select ${heldOpen}, exists (select from video_task t where t.operation_id = o.id)
           from open_operation q join operation o on o.id = q.operation_id`,
    );
    await client.query("analyze open_request");
  });
