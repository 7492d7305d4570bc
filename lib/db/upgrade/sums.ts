/** Queries that compare balances and sums; each answers a line of text for what differs. */
import { heldNow, heldOpen } from "./rows";

const openRequests = `
  select 'open_request has ' || rows || ' rows, ' || same || ' as before, not ' || due
    from (
      select (select count(*) from open_request) as rows,
             (select count(*) from open_operation) as due,
             (select count(*) from open_operation q join operation o on o.id = q.operation_id
                join open_request r on r.id = o.id
               where q.account_id = r.account_id and q.hold_amount = r.hold_amount
                 and row(${heldOpen}) is not distinct from row(${heldNow})
                 and r.is_task = exists (select from video_task t where t.operation_id = r.id)
             ) as same
    ) n where rows <> due or same <> due`;

const pending = `
  select format('wallet %s has %s in %s open requests, instead of %s in %s', account_id,
           w.debits_pending, w.open_holds, coalesce(o.held, 0), coalesce(o.holds, 0))
    from wallet w full join (
      select account_id, sum(hold_amount) as held, count(*) as holds from open_request group by 1
    ) o using (account_id)
   where w.debits_pending is distinct from coalesce(o.held, 0)
      or w.open_holds is distinct from coalesce(o.holds, 0)`;

const chargesOf = (table: string) =>
  `(select account_id, sum(amount) as charged, count(*) as n from ${table} group by 1)`;
const charges = `
  select format('account %s was charged %s by %s requests, instead of %s by %s', account_id,
           coalesce(r.charged, 0), coalesce(r.n, 0), coalesce(s.charged, 0), coalesce(s.n, 0))
    from ${chargesOf("request")} r full join ${chargesOf("settlement")} s using (account_id)
   where (r.charged, r.n) is distinct from (s.charged, s.n)`;

const takes = "kind in ('clawback', 'expiry', 'adjust_down')";
/** The charges of dropped months are only in files. */
const posted = `
  select format('wallet %s has %s and %s posted, instead of %s and %s', account_id, credits_posted,
           debits_posted, credited, debited)
    from (
      select w.account_id, credits_posted, debits_posted, coalesce(e.credited, 0) as credited,
             coalesce(e.debited, 0) + coalesce(r.charged, 0) as debited
        from wallet w
        left join (
          select account_id, sum(amount) filter (where not ${takes}) as credited,
                 sum(amount) filter (where ${takes}) as debited
            from ledger_entry group by 1
        ) e using (account_id)
        left join ${chargesOf("request")} r using (account_id)
    ) w
   where not exists (select from ledger_archive_drop)
     and (credits_posted <> credited or debits_posted <> debited)`;

const waiting =
  "select count(*) || ' requests wait for the sums' from usage_waiting having count(*) > 0";

export const sums: readonly string[] = [openRequests, pending, charges, posted, waiting];
