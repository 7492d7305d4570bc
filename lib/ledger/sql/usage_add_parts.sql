-- Adds requests to the parts of their hours that are kept.
create or replace function usage_add_parts(rows usage_row[]) returns void language sql as $$
  insert into usage_part as p (account_id, at, api_key_id, model, dialect, family,
      settled, released, input_tokens, output_tokens, amount, latency, first_token)
    select r.account_id, c.at, api_key_id, model, dialect, max(family),
           sum(settled), sum(released), sum(input_tokens), sum(output_tokens), sum(amount),
           usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
      from unnest(rows) r join usage_cut c on c.account_id = r.account_id and c.at > r.created_at
       and c.at < r.hour + interval '1 hour'
     group by 1, 2, 3, 4, 5
    on conflict (account_id, at, api_key_id, model, dialect) do update set
      settled = p.settled + excluded.settled, released = p.released + excluded.released,
      input_tokens = p.input_tokens + excluded.input_tokens,
      output_tokens = p.output_tokens + excluded.output_tokens,
      amount = p.amount + excluded.amount,
      latency = usage_histogram(p.latency || excluded.latency),
      first_token = usage_histogram(p.first_token || excluded.first_token)
$$;
