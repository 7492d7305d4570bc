/** Gives past months partitions of their own, where there are no requests yet: so they can be dropped one day. */
import type pg from "pg";
import { firstOperationId } from "../crypto/ids";
import { onlyRow } from "./only-row";

type Queries = Pick<pg.ClientBase, "query">;

/**
 * As the role that owns the table, in a transaction: the months (UTC) from that of `time`, in
 * milliseconds, on. Fails where the first partition has requests of them.
 */
export async function giveMonthsPartitions(owner: Queries, time: number): Promise<void> {
  const at = new Date(time);
  const month = (place: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + place);
  const first = firstOperationId(month(0));
  const { below } = onlyRow(
    await owner.query<{ below: string }>(
      "select below::text from ledger_partitions() where name = 'request_earlier'",
    ),
  );
  if (below <= first) return;
  await owner.query("alter table request detach partition request_earlier");
  await owner.query(
    `alter table request attach partition request_earlier for values from (minvalue) to ('${first}')`,
  );
  for (let place = 0; firstOperationId(month(place)) < below; place++) {
    const name = new Date(month(place)).toISOString().slice(0, 7).replace("-", "_");
    await owner.query("select ledger_add_partition($1, $2, $3)", [
      `request_${name}`,
      firstOperationId(month(place)),
      firstOperationId(month(place + 1)),
    ]);
  }
}
