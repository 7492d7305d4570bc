/** SQL: the first day of the month that ended last; it counts as ended an hour after its end. */
export const lastMonth =
  "date_trunc('month', (now() - interval '1 hour') at time zone 'UTC') - interval '1 month'";

/** SQL: whether `account` had any movement in the month that begins at `month`; both are columns. */
export const movedIn = (account: string, month: string) => `
   (exists (select from usage_of_day u where u.account_id = ${account} and u.day >= ${month}::date and u.day < (${month} + interval '1 month')::date)
     or exists (select from ledger_entry e where e.account_id = ${account} and e.created_at >= ${month} at time zone 'UTC'
                   and e.created_at < (${month} + interval '1 month') at time zone 'UTC'))`;

/**
 * SQL: accounts with billing details that had any movement in the month that ended last, and have
 * no invoice of it yet; as `account_id` and `month`.
 */
export const dueMonths = `
select b.account_id, to_char(l.month, 'YYYY-MM') as month
  from account_billing b, (select ${lastMonth} as month) l
 where not exists (select from invoice i where i.account_id = b.account_id and i.month = l.month::date)
   and ${movedIn("b.account_id", "l.month")}`;
