-- Adds requests to the operators' sums over all accounts: of the hours in which they were made, and
-- of the days on which they ended.
create or replace function usage_add_totals(rows usage_row[]) returns void language sql as $$
  insert into usage_total_hour as h (hour, model, channel_id, settled, released, failed, amount,
      latency)
    select hour, model, channel_id, sum(settled), sum(released), sum(failed), sum(amount),
           usage_histogram(array_agg(latency))
      from unnest(rows) group by 1, 2, 3
    on conflict (hour, model, channel_id) do update set
      settled = h.settled + excluded.settled, released = h.released + excluded.released,
      failed = h.failed + excluded.failed, amount = h.amount + excluded.amount,
      latency = usage_histogram(h.latency || excluded.latency);
  insert into usage_total_day as d (day, model, channel_id, settled, released, input_tokens,
      output_tokens, amount, latency, first_token)
    select (ended_at at time zone 'UTC')::date, model, channel_id, sum(settled), sum(released),
           sum(input_tokens), sum(output_tokens), sum(amount),
           usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
      from unnest(rows) group by 1, 2, 3
    on conflict (day, model, channel_id) do update set
      settled = d.settled + excluded.settled, released = d.released + excluded.released,
      input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens,
      amount = d.amount + excluded.amount,
      latency = usage_histogram(d.latency || excluded.latency),
      first_token = usage_histogram(d.first_token || excluded.first_token)
$$;
