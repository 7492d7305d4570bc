/** Gives past months partitions of their own, where the tables have no requests yet: so they can be dropped one day. */
import type pg from "pg";
import { firstOperationId } from "../ids";
import { onlyRow } from "./only-row";

type Queries = Pick<pg.ClientBase, "query">;

/**
 * As the role that owns the tables, in a transaction: the months (UTC) from that of `time`, in
 * milliseconds, on. Fails where the first partitions have requests of them.
 */
export async function giveMonthsPartitions(owner: Queries, time: number): Promise<void> {
  const at = new Date(time);
  const month = (place: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + place);
  const first = firstOperationId(month(0));
  // In this order, as a batch takes them.
  for (const table of ["settlement", "operation"]) {
    const earlier = `${table}_earlier`;
    const { below } = onlyRow(
      await owner.query<{ below: string }>(
        "select below::text from ledger_partitions($1) where name = $2",
        [table, earlier],
      ),
    );
    if (below <= first) continue;
    await owner.query(`alter table ${table} detach partition ${earlier}`);
    await owner.query(
      `alter table ${table} attach partition ${earlier} for values from (minvalue) to ('${first}')`,
    );
    for (let place = 0; firstOperationId(month(place)) < below; place++) {
      const name = new Date(month(place)).toISOString().slice(0, 7).replace("-", "_");
      await owner.query("select ledger_add_partition($1, $2, $3, $4)", [
        table,
        `${table}_${name}`,
        firstOperationId(month(place)),
        firstOperationId(month(place + 1)),
      ]);
    }
  }
}
