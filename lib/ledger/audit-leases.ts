/** The audit's checks of points leases: plain SQL, as in `audit.ts`. */
export const leaseChecks: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: "every wallet's leased points are the sum of its leases, and with its debits within its credits",
    sql: `select w.account_id || ': wallet ' || w.leased || ', leases ' || coalesce(l.total, 0) as broken
          from wallet w full join (select account_id, sum(amount) as total from points_lease group by 1) l using (account_id)
          where w.account_id is null or w.leased <> coalesce(l.total, 0) or w.leased < 0
             or w.debits_posted + w.debits_pending + w.leased > w.credits_posted`,
  },
  {
    name: "every lease belongs to a process that is there, and is not negative",
    sql: `select l.account_id || ' ' || l.node_id || ': ' || l.amount as broken from points_lease l left join node n on n.id = l.node_id
          where n.id is null or l.amount < 0`,
  },
  {
    name: "no process that died more than an hour ago with a store that is in use still has a lease",
    sql: `select l.account_id || ' ' || l.node_id as broken from points_lease l join node n on n.id = l.node_id
          where n.lease_until < now() - interval '1 hour'
            and exists (select from node o where o.store_id = n.store_id and o.lease_until > now())`,
  },
];
