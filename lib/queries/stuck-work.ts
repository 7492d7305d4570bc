/** Holds that have been open for long, and the processes that must end them. Read-only. */

import type { StuckView } from "../contract/operator-requests";
import type { HoldAge } from "../contract/states";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import type { Stored } from "./stored";

const LISTED_MAX = 50;

type OpenHold = Omit<
  Stored<StuckView["holds"][number], "held", "openedAt" | "deadline">,
  "account"
> & { readonly accountId: string };

export async function oldestHolds(pool: Reader): Promise<OpenHold[]> {
  const { rows } = await pool.query<Omit<OpenHold, "held"> & { held: string }>(
    `select q.id as "operationId", q.request_id as "requestId", q.account_id as "accountId", q.model, q.hold_amount as held,
            q.created_at as "openedAt", q.deadline, q.deadline < now() as "isOverdue", t.id as "taskId", q.node_id as "nodeId",
            case when q.node_id is null then 'worker' when n.id is null then 'gone' when n.lease_until < clock_timestamp() then 'dead' else 'alive' end as owner
       from open_request q left join node n on n.id = q.node_id left join video_task t on t.operation_id = q.id
      order by q.id limit ${LISTED_MAX}`,
  );
  return rows.map((row) => ({ ...row, held: BigInt(row.held) }));
}

/** All open holds by age, the youngest first; empty age groups are left out. */
export async function holdsByAge(
  pool: Reader,
): Promise<{ age: HoldAge; holds: number; held: Micropoints }[]> {
  const { rows } = await pool.query<{ age: HoldAge; holds: number; held: string }>(
    `select case when age < interval '1 minute' then 'minute' when age < interval '10 minutes' then 'tenMinutes' when age < interval '1 hour' then 'hour'
                 when age < interval '1 day' then 'day' else 'older' end as age, count(*)::int as holds, sum(hold_amount)::bigint as held
       from (select hold_amount, now() - created_at as age from open_request) a
      group by 1 order by min(a.age)`,
  );
  return rows.map((row) => ({ ...row, held: BigInt(row.held) }));
}

type DeadNode = Omit<Stored<StuckView["nodes"][number], "held", "leaseUntil">, "isHere"> & {
  readonly storeId: string;
};

/** Processes whose lease expired without unregistering, the longest dead first, at most 50. */
export async function deadNodes(pool: Reader): Promise<DeadNode[]> {
  const { rows } = await pool.query<Omit<DeadNode, "held"> & { held: string }>(
    `select n.id, n.store_id as "storeId", n.lease_until as "leaseUntil", count(q.id)::int as open, coalesce(sum(q.hold_amount), 0)::bigint as held
       from node n left join open_request q on q.node_id = n.id where n.lease_until < clock_timestamp()
      group by n.id order by n.lease_until limit ${LISTED_MAX}`,
  );
  return rows.map((row) => ({ ...row, held: BigInt(row.held) }));
}
