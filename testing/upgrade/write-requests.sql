-- Writes the requests of the temporary table `made_request` to the tables of release 0.1.0, with
-- the columns that testing/ledger/write-requests.sql names.

insert into operation (id, account_id, api_key_id, source, request_id, family, model, dialect,
    price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
    created_at, deadline)
  select id, account, key, case when key is null then 'playground' else 'api' end, request_id,
         family, model, dialect, price, multiplier_ppm, quote, hold, sha256(request_id::bytea),
         node, at, deadline
    from made_request order by at;

insert into settlement (operation_id, account_id, hold_amount, outcome, amount, input_tokens,
    output_tokens, usage, reason, channel_id, upstream_ref, is_stream, is_abandoned, duration_ms,
    first_byte_ms, created_at)
  select id, account, hold, outcome, case when is_good then least(due, hold) else 0 end,
         case when is_good then input_tokens end, case when is_good then output_tokens end,
         case when is_good then jsonb_build_object(
           'prompt_tokens', input_tokens, 'completion_tokens', output_tokens,
           'total_tokens', input_tokens + output_tokens,
           'quantities', jsonb_build_object('input_token', input_tokens,
             case when family = 'text' then 'output_token' else family || '_token' end,
             output_tokens)) end,
         case when not is_good then reason end, channel, upstream_ref, is_stream, is_abandoned,
         duration, first_byte, ended_at
    from (select *, outcome = 'settled' as is_good
            from made_request where outcome is not null) ended
   order by ended_at;

insert into operator_loss (operation_id, cause, estimate, detail, created_at)
  select id, case when outcome = 'settled' then 'usage_over_hold' else loss end,
         case when outcome = 'settled' then due - hold else hold end,
         case when outcome = 'released' then jsonb_build_object('failure', reason) end, ended_at
    from made_request
   where outcome = 'settled' and due > hold or outcome = 'released' and loss is not null
   order by ended_at;

insert into usage_day as u (account_id, api_key_id, model, day, requests, input_tokens,
    output_tokens, amount)
  select account, coalesce(key, ''), model, (ended_at at time zone 'UTC')::date, count(*),
         sum(input_tokens), sum(output_tokens), sum(least(due, hold))
    from made_request where outcome = 'settled' group by 1, 2, 3, 4
  on conflict (account_id, day, api_key_id, model) do update set
    requests = u.requests + excluded.requests,
    input_tokens = u.input_tokens + excluded.input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens,
    amount = u.amount + excluded.amount;

update wallet w
   set version = version + 1, debits_posted = debits_posted + spent,
       debits_pending = debits_pending + held, open_holds = open_holds + holds
  from (select account,
               coalesce(sum(least(due, hold)) filter (where outcome = 'settled'), 0)::bigint spent,
               coalesce(sum(hold) filter (where outcome is null), 0)::bigint held,
               (count(*) filter (where outcome is null))::int holds
          from made_request group by 1) made
 where made.account = w.account_id;

drop table made_request;
