-- Adds requests to the sums of the hours in which they were made. New sums lie in the order in
-- which the usage pages read them.
create or replace function usage_add_hours(rows usage_row[]) returns void language sql as $$
  insert into usage_hour as h (account_id, hour, api_key_id, model, dialect, family,
      settled, released, input_tokens, output_tokens, amount, latency, first_token, tags, tag_set)
    select r.account_id, hour, api_key_id, model, dialect, max(family),
           sum(settled), sum(released), sum(input_tokens), sum(output_tokens), sum(amount),
           usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token)), tags,
           tag_set
      from unnest(rows) r
     group by 1, 2, 3, 4, 5, tags, tag_set order by 1, 2, 3, 4, 5
    on conflict (account_id, hour, api_key_id, model, dialect, tag_set) do update set
      settled = h.settled + excluded.settled, released = h.released + excluded.released,
      input_tokens = h.input_tokens + excluded.input_tokens,
      output_tokens = h.output_tokens + excluded.output_tokens,
      amount = h.amount + excluded.amount,
      latency = usage_histogram(h.latency || excluded.latency),
      first_token = usage_histogram(h.first_token || excluded.first_token)
$$;
