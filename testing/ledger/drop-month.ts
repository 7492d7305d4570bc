/** Takes the rows of an archived month out of the tables, as the owner of the database, and notes it. */
import type pg from "pg";
import { transact } from "@/lib/db/transaction";
import type { Month } from "@/lib/ledger/archive/archive-register";

export async function dropMonth(owner: pg.ClientBase, month: Month): Promise<void> {
  await transact(owner, async () => {
    await owner.query("set local session_replication_role = replica");
    await owner.query("delete from request where id >= $1 and id < $2", [
      month.starts,
      month.below,
    ]);
    await owner.query("set local session_replication_role = origin");
    await owner.query("select ledger_archive_note_drop($1::date)", [month.day]);
  });
}
