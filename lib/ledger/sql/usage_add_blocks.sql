-- Adds requests to the blocks of four hours that are kept.
create or replace function usage_add_blocks(rows usage_row[]) returns void language sql as $$
  insert into usage_block as b (account_id, at, api_key_id, model, dialect, family,
      settled, released, input_tokens, output_tokens, amount, latency, first_token)
    select r.account_id, m.at, api_key_id, model, dialect, max(family),
           sum(settled), sum(released), sum(input_tokens), sum(output_tokens), sum(amount),
           usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
      from unnest(rows) r join usage_block_mark m on m.account_id = r.account_id
       and m.at = usage_block_of(r.hour)
     group by 1, 2, 3, 4, 5
    on conflict (account_id, at, api_key_id, model, dialect) do update set
      settled = b.settled + excluded.settled, released = b.released + excluded.released,
      input_tokens = b.input_tokens + excluded.input_tokens,
      output_tokens = b.output_tokens + excluded.output_tokens,
      amount = b.amount + excluded.amount,
      latency = usage_histogram(b.latency || excluded.latency),
      first_token = usage_histogram(b.first_token || excluded.first_token)
$$;
