-- operation.idempotency_key was always null: requests with an Idempotency-Key are fenced by idempotent_request. The column goes with its
-- check and its index. Dropping a column rewrites no rows. While another transaction uses the table, new ones would wait behind this
-- one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';
alter table operation drop column idempotency_key;

-- The two functions that wrote it, as they stand but for the column, so that they keep the rights and the path they run with. A process
-- of the version before still sends "idem", which is not read any more.
do $$
declare
  signature regprocedure;
  definition text;
begin
  foreach signature in array array['ledger_apply(text,text[],json,json)', 'ledger_apply_one_by_one(text,json,text)']::regprocedure[] loop
    definition := pg_get_functiondef(signature);
    definition := replace(definition, 'request_sha256, idempotency_key, node_id', 'request_sha256, node_id');
    definition := replace(definition, 'sha text, idem text, seconds', 'sha text, seconds');
    definition := regexp_replace(definition, '(decode\((h\.)?sha, ''hex''\)), (h\.)?idem, node_name', '\1, node_name');
    if definition ~ 'idem' then raise exception '% is not as the migrations made it', signature; end if;
    execute definition;
  end loop;
end $$;
