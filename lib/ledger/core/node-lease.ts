/**
 * The leases of the processes ("nodes"), and the queries that find what dead processes left open.
 * All times are the database's.
 */
import type pg from "pg";

/**
 * Renews this process's lease: for `leaseSeconds` from now, no other process ends its operations.
 */
export async function renewLease(
  pool: pg.Pool,
  nodeId: string,
  store: string,
  leaseSeconds: number,
): Promise<void> {
  await pool.query(
    `insert into node (id, store_id, lease_until) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (id) do update set lease_until = excluded.lease_until`,
    [nodeId, store, leaseSeconds],
  );
}

export async function removeLease(pool: pg.Pool, nodeId: string): Promise<void> {
  await pool.query("delete from node where id = $1", [nodeId]);
}

/** Ends the lease of a process of `store` that is certainly dead. */
export async function endLease(pool: pg.Pool, nodeId: string, store: string): Promise<void> {
  await pool.query(
    `update node set lease_until = clock_timestamp()
      where id = $1 and store_id = $2 and lease_until > clock_timestamp()`,
    [nodeId, store],
  );
}

/** The processes that are alive, and the dead ones whose spool is in `store`. */
export async function readNodes(
  pool: pg.Pool,
  store: string,
): Promise<{ live: ReadonlySet<string>; dead: readonly string[] }> {
  const { rows } = await pool.query<{ id: string; isLive: boolean; isHere: boolean }>(
    `select id, lease_until > clock_timestamp() as "isLive", store_id = $1 as "isHere" from node`,
    [store],
  );
  return {
    live: new Set(rows.filter(({ isLive }) => isLive).map(({ id }) => id)),
    dead: rows.filter(({ isLive, isHere }) => !isLive && isHere).map(({ id }) => id),
  };
}

export interface OrphanedOperation {
  readonly id: string;
  readonly account: string;
  readonly holdAmount: bigint;
}

const orphan = "select q.id, q.account_id as account, q.hold_amount as held from open_request q";
const toOrphans = (rows: { id: string; account: string; held: string }[]): OrphanedOperation[] =>
  rows.map(({ id, account, held }) => ({ id, account, holdAmount: BigInt(held) }));

/**
 * Open operations, at most `limit`, that no process will end. Either their node has unregistered,
 * or it is one of `emptied`: nodes that were dead before the caller replayed their spools, and
 * still are. A node whose lease expired since then may have ends in its spool, so it is not among
 * them.
 */
export async function orphanedOperations(
  pool: pg.Pool,
  emptied: readonly string[],
  limit: number,
): Promise<OrphanedOperation[]> {
  const { rows } = await pool.query(
    `${orphan} left join node n on n.id = q.node_id
      where q.node_id is not null and (n.id is null or (n.lease_until < clock_timestamp() and n.id = any($1))) limit $2`,
    [emptied, limit],
  );
  return toOrphans(rows);
}

/**
 * Operations of `nodeId`, at most `limit`, whose deadline passed more than an hour ago. No request
 * runs that long: these are holds that were committed after their callers had been refused.
 */
export async function overdueOperations(
  pool: pg.Pool,
  nodeId: string,
  limit: number,
): Promise<OrphanedOperation[]> {
  const { rows } = await pool.query(
    `${orphan} where q.node_id = $1 and q.deadline < clock_timestamp() - interval '1 hour' limit $2`,
    [nodeId, limit],
  );
  return toOrphans(rows);
}

/** Deletes nodes of `store` that died and have no open operations. */
export async function removeDeadNodes(pool: pg.Pool, store: string): Promise<void> {
  await pool.query(
    // One that somebody else is removing is skipped: its removal waits for the wallets of its leases.
    `delete from node where id in (
       select n.id from node n where n.lease_until < clock_timestamp() and n.store_id = $1
          and not exists (select from open_request q where q.node_id = n.id) for update skip locked)`,
    [store],
  );
}

/**
 * Gives up a dead node although its spool may still hold charges, and writes down who decided it.
 * Returns how many operations the node had open, or null when there is no such node or its lease is
 * valid.
 */
export async function abandonNode(
  client: pg.ClientBase,
  nodeId: string,
  actor: string,
): Promise<number | null> {
  const { rows } = await client.query<{ operations: number | null }>(
    "select ledger_give_node_up($1, $2) as operations",
    [nodeId, actor],
  );
  return rows[0]?.operations ?? null;
}
