-- Adds requests, each once, to the sums of hours and days, and to the parts and blocks that are
-- kept. Called under the lock of its callers, so that the sums have one writer.
create or replace function usage_count(ids uuid[]) returns void language plpgsql
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off as $$
begin
  -- The tables grow from nothing to millions of rows: a plan that is kept would be the wrong one
  -- for most of that time.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  with r as materialized (select u.* from unnest(ids) i(id) join usage_row u on u.id = i.id),
  hours as (
    insert into usage_hour as h (account_id, hour, api_key_id, model, dialect, family, settled,
      released, input_tokens, output_tokens, amount, latency, first_token)
      select account_id, hour, api_key_id, model, dialect, max(family), sum(settled), sum(released),
        sum(input_tokens), sum(output_tokens), sum(amount), usage_histogram(array_agg(latency)),
        usage_histogram(array_agg(first_token))
        from r group by 1, 2, 3, 4, 5
      on conflict (account_id, hour, api_key_id, model, dialect) do update set
        settled = h.settled + excluded.settled, released = h.released + excluded.released,
        input_tokens = h.input_tokens + excluded.input_tokens,
        output_tokens = h.output_tokens + excluded.output_tokens,
        amount = h.amount + excluded.amount,
        latency = usage_histogram(h.latency || excluded.latency),
        first_token = usage_histogram(h.first_token || excluded.first_token)
  ), parts as (
    insert into usage_part as p (account_id, at, api_key_id, model, dialect, family, settled,
      released, input_tokens, output_tokens, amount, latency, first_token)
      select r.account_id, c.at, api_key_id, model, dialect, max(family), sum(settled),
        sum(released), sum(input_tokens), sum(output_tokens), sum(amount),
        usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
        from r join usage_cut c on c.account_id = r.account_id and c.at > r.created_at
          and c.at < r.hour + interval '1 hour'
        group by 1, 2, 3, 4, 5
      on conflict (account_id, at, api_key_id, model, dialect) do update set
        settled = p.settled + excluded.settled, released = p.released + excluded.released,
        input_tokens = p.input_tokens + excluded.input_tokens,
        output_tokens = p.output_tokens + excluded.output_tokens,
        amount = p.amount + excluded.amount,
        latency = usage_histogram(p.latency || excluded.latency),
        first_token = usage_histogram(p.first_token || excluded.first_token)
  ), blocks as (
    insert into usage_block as b (account_id, at, api_key_id, model, dialect, family, settled,
      released, input_tokens, output_tokens, amount, latency, first_token)
      select r.account_id, m.at, api_key_id, model, dialect, max(family), sum(settled),
        sum(released), sum(input_tokens), sum(output_tokens), sum(amount),
        usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
        from r join usage_block_mark m on m.account_id = r.account_id
          and m.at = usage_block_of(r.hour)
        group by 1, 2, 3, 4, 5
      on conflict (account_id, at, api_key_id, model, dialect) do update set
        settled = b.settled + excluded.settled, released = b.released + excluded.released,
        input_tokens = b.input_tokens + excluded.input_tokens,
        output_tokens = b.output_tokens + excluded.output_tokens,
        amount = b.amount + excluded.amount,
        latency = usage_histogram(b.latency || excluded.latency),
        first_token = usage_histogram(b.first_token || excluded.first_token)
  ), total_hours as (
    insert into usage_total_hour as h (hour, model, channel_id, settled, released, failed, amount,
      latency)
      select hour, model, channel_id, sum(settled), sum(released), sum(failed), sum(amount),
        usage_histogram(array_agg(latency)) from r group by 1, 2, 3
      on conflict (hour, model, channel_id) do update set
        settled = h.settled + excluded.settled, released = h.released + excluded.released,
        failed = h.failed + excluded.failed,
        amount = h.amount + excluded.amount,
        latency = usage_histogram(h.latency || excluded.latency)
  )
  insert into usage_total_day as d (day, model, channel_id, settled, released, input_tokens,
    output_tokens, amount, latency, first_token)
    select (ended_at at time zone 'UTC')::date, model, channel_id, sum(settled), sum(released),
      sum(input_tokens), sum(output_tokens), sum(amount), usage_histogram(array_agg(latency)),
      usage_histogram(array_agg(first_token))
      from r group by 1, 2, 3
    on conflict (day, model, channel_id) do update set
      settled = d.settled + excluded.settled, released = d.released + excluded.released,
      input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, amount = d.amount + excluded.amount,
      latency = usage_histogram(d.latency || excluded.latency),
      first_token = usage_histogram(d.first_token || excluded.first_token);
end
$$;
