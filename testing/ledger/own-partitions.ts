/** Gives the last months partitions of their own, as an installation has that is older than they are. */
import type pg from "pg";
import { transact } from "@/lib/db/transaction";

/** How many days have passed since the fifth day of the month that was so many months ago, in UTC. */
export function daysSinceMonth(monthsAgo: number): number {
  const now = new Date();
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 5);
  return Math.floor((now.getTime() - then) / 86_400_000);
}

/** As the owner of a database without requests. */
export async function giveMonthsPartitions(owner: pg.ClientBase, months: number): Promise<void> {
  await transact(owner, async () => {
    for (const table of ["settlement", "operation"]) {
      await owner.query(`
        do $$
        declare
          month timestamp := date_trunc('month', now() at time zone 'UTC') - interval '${months} months';
          until uuid := (select below from ledger_partitions('${table}') where name = '${table}_earlier');
        begin
          alter table ${table} detach partition ${table}_earlier;
          execute format('alter table ${table} attach partition ${table}_earlier for values from (minvalue) to (%L)', ledger_first_id(month at time zone 'UTC'));
          while ledger_first_id(month at time zone 'UTC') < until loop
            perform ledger_add_partition('${table}', '${table}' || to_char(month, '_YYYY_MM'), ledger_first_id(month at time zone 'UTC'),
                                         ledger_first_id((month + interval '1 month') at time zone 'UTC'));
            month := month + interval '1 month';
          end loop;
        end $$`);
    }
  });
}
