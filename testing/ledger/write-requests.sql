-- Writes the requests of the temporary table `made_request` to the ledger, as the owner of the
-- database: under all constraints and triggers, and so that the audit is clean. Nothing else writes
-- requests for a history, neither of a demo nor of a test.
--
-- made_request: id, account, key, request_id, family, model, dialect, price, multiplier_ppm, quote,
-- hold, node, at, deadline; of one that has ended also outcome ('settled' or 'released'), ended_at,
-- due, input_tokens, output_tokens, reason, channel, upstream_ref, is_stream, is_abandoned,
-- duration, first_byte, loss. `due` is the cost of the tokens; the charge is that or the hold.

-- A request without a node is a video task.
insert into open_request (id, account_id, api_key_id, source, request_id, family, dialect, model,
    price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
    created_at, deadline, is_task)
  select id, account, key, case when key is null then 'playground' else 'api' end, request_id,
         family, dialect, model, price, multiplier_ppm, quote, hold, sha256(request_id::bytea),
         node, at, deadline, node is null
    from made_request where outcome is null order by at;

insert into request (id, account_id, api_key_id, source, request_id, family, dialect, model,
    price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
    created_at, deadline, outcome, amount, input_tokens, output_tokens, usage, reason, channel_id,
    upstream_ref, is_stream, is_abandoned, duration_ms, first_byte_ms, ended_at)
  select id, account, key, case when key is null then 'playground' else 'api' end, request_id,
         family, dialect, model, price, multiplier_ppm, quote, hold, sha256(request_id::bytea),
         node, at, deadline, outcome, case when is_good then least(due, hold) else 0 end,
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

insert into usage_waiting (operation_id, account_id)
  select id, account from made_request where outcome is not null order by ended_at;

-- What a piece that was announced to the sealer does not expect any more.
insert into ledger_apart (operation_id, created_at)
  select id, at from made_request, ledger_seal_head h
   where outcome is not null and id < h.announced;

insert into operator_loss (operation_id, cause, estimate, detail, created_at)
  select id, case when outcome = 'settled' then 'usage_over_hold' else loss end,
         case when outcome = 'settled' then due - hold else hold end,
         case when outcome = 'released' then jsonb_build_object('failure', reason) end, ended_at
    from made_request
   where outcome = 'settled' and due > hold or outcome = 'released' and loss is not null
   order by ended_at;

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
