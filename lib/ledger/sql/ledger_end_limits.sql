-- Each limit gets back what it held, and counts what was used. A day, a week or a month does so for
-- what was opened in it: its hold was admitted there. Tokens count in the minute in which they are
-- known.
create or replace function ledger_end_limits(ended uuid[])
returns void language plpgsql as $$
declare
  moment constant timestamptz := clock_timestamp();
  minute constant timestamptz := date_trunc('minute', moment, 'UTC');
  first_id uuid;
  last_id uuid;
begin
  select * into first_id, last_id from ledger_id_range(ended);
  update api_key_budget b set starts_at = minute, ends_at = minute + interval '1 minute', spent = 0
    from request r
   where r.id = any(ended) and r.id between first_id and last_id
     and b.api_key_id = r.api_key_id and b.kind = 'tokens' and b.ends_at <= moment;
  update api_key_budget b set held = b.held - t.held, spent = b.spent + t.used
    from (
      select l.api_key_id, l.kind,
             case l.kind when 'running' then count(*) when 'tokens' then 0
                         else sum(r.hold_amount) end::bigint as held,
             case l.kind when 'running' then 0
                         when 'tokens' then sum(coalesce(r.input_tokens + r.output_tokens, 0))
                         else sum(r.amount) end::bigint as used
        from request r join api_key_budget l on l.api_key_id = r.api_key_id
       where r.id = any(ended) and r.id between first_id and last_id
         and (l.zone is null or r.created_at >= l.starts_at) group by 1, 2
    ) t where b.api_key_id = t.api_key_id and b.kind = t.kind;
  update member_budget b set held = b.held - t.held, spent = b.spent + t.used
    from (
      select l.account_id, l.user_id, l.kind, sum(r.hold_amount)::bigint as held,
             sum(r.amount)::bigint as used
        from request r join member_budget l on l.account_id = r.account_id
          and l.user_id = ledger_member(r.id, r.api_key_id) and l.starts_at <= r.created_at
       where r.id = any(ended) and r.id between first_id and last_id group by 1, 2, 3
    ) t where b.account_id = t.account_id and b.user_id = t.user_id and b.kind = t.kind;
  update tag_budget b set held = b.held - t.held, spent = b.spent + t.used
    from (
      select l.account_id, l.name, l.value, l.kind, sum(r.hold_amount)::bigint as held,
             sum(r.amount)::bigint as used
        from request r join tag_budget l on l.account_id = r.account_id
          and l.value = r.tags ->> l.name and l.starts_at <= r.created_at
       where r.id = any(ended) and r.id between first_id and last_id and r.tags is not null
       group by 1, 2, 3, 4
    ) t where b.account_id = t.account_id and b.name = t.name and b.value = t.value
          and b.kind = t.kind;
end
$$;
