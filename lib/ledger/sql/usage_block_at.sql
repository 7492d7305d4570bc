-- Makes the block from `block` on, for accounts with at least 20 sums of hours in it: fewer are
-- read as fast one by one.
create or replace function usage_block_at(block timestamptz) returns void language plpgsql as $$
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  with busy as materialized (
    select w.account_id from wallet w cross join lateral (
      select count(*) as n from usage_hour h
        where h.account_id = w.account_id and h.hour >= block
        and h.hour < block + interval '4 hours' offset 0) s
      where s.n >= 20
  ), marked as (insert into usage_block_mark (account_id, at) select account_id, block from busy)
  insert into usage_block (account_id, at, api_key_id, model, dialect, family, settled, released,
    input_tokens, output_tokens, amount, latency, first_token)
    select h.account_id, block, h.api_key_id, h.model, h.dialect, max(h.family), sum(h.settled),
      sum(h.released), sum(h.input_tokens), sum(h.output_tokens), sum(h.amount),
      usage_histogram(usage_entries(h.latency)), usage_histogram(usage_entries(h.first_token))
      from busy b cross join lateral (
        select * from usage_hour h
          where h.account_id = b.account_id and h.hour >= block
          and h.hour < block + interval '4 hours' offset 0) h
      group by 1, 2, 3, 4, 5;
end
$$;
