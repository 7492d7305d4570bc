-- The API of another service in which a request came; null for one in its family's own form. Adding a column without a default rewrites
-- no rows. While another transaction uses the table, new ones would wait behind this one, so it gives up soon and is tried again at the
-- next start.
set local lock_timeout = '5s';
alter table operation add column dialect text check (dialect in ('messages', 'responses'));

-- The two functions that write operations, as they stand but for the column, so that they keep the rights and the path they run with. A
-- process of the version before sends no "dialect", which is read as null.
do $$
declare
  signature regprocedure;
  definition text;
begin
  foreach signature in array array['ledger_apply(text,text[],json,json)', 'ledger_apply_one_by_one(text,json,text)']::regprocedure[] loop
    definition := pg_get_functiondef(signature);
    definition := replace(definition, 'request_sha256, node_id', 'request_sha256, dialect, node_id');
    definition := replace(definition, 'sha text, seconds', 'sha text, dialect text, seconds');
    definition := regexp_replace(definition, '(decode\((h\.)?sha, ''hex''\)), node_name', '\1, \2dialect, node_name');
    if array_length(string_to_array(definition, 'dialect'), 1) <> 4 then
      raise exception '% is not as the migrations made it', signature;
    end if;
    execute definition;
  end loop;
end $$;
