-- Adds settled requests to the sums of the days (UTC) on which they ended.
create or replace function usage_add_days(rows usage_row[]) returns void language sql as $$
  insert into usage_day as d (account_id, api_key_id, model, day, requests, input_tokens,
      output_tokens, amount)
    select account_id, api_key_id, model, (ended_at at time zone 'UTC')::date, count(*),
           sum(input_tokens), sum(output_tokens), sum(amount)
      from unnest(rows) where settled = 1 group by 1, 2, 3, 4
    on conflict (account_id, day, api_key_id, model) do update set
      requests = d.requests + excluded.requests,
      input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens,
      amount = d.amount + excluded.amount
$$;
