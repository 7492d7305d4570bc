-- The version of the model under which an operation began, so that it can be finished and explained under it. Null for an operation from
-- before there were versions: that is the first version of its model. Adding a column without a default rewrites no rows. While another
-- transaction uses the table, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';
alter table operation add column model_version_id bigint;

-- The functions that write and check operations, as they stand but for the column, so that they keep the rights and the path they run
-- with. A process of the version before sends no "version", which is read as null.
do $$
declare
  signature regprocedure;
  definition text;
begin
  foreach signature in array array['ledger_apply(text,text[],json,json)', 'ledger_apply_one_by_one(text,json,text)']::regprocedure[] loop
    definition := pg_get_functiondef(signature);
    definition := replace(definition, 'request_sha256, dialect, node_id', 'request_sha256, dialect, model_version_id, node_id');
    definition := replace(definition, 'sha text, dialect text, seconds', 'sha text, dialect text, version bigint, seconds');
    definition := regexp_replace(definition, '(h\.)?dialect, node_name', '\1dialect, \1version, node_name');
    if definition !~ 'dialect, model_version_id, node_id' or definition !~ 'version bigint, seconds' or definition !~ 'version, node_name' then
      raise exception '% is not as the migrations made it', signature;
    end if;
    execute definition;
  end loop;

  -- The version must be one of the operation's model; it is looked up by primary key in the statement that looks up the price.
  definition := pg_get_functiondef('operation_opens()'::regprocedure);
  definition := replace(definition, 'left join api_key k on k.id = o.api_key_id and k.account_id = o.account_id',
    'left join api_key k on k.id = o.api_key_id and k.account_id = o.account_id
    left join model_version v on v.id = o.model_version_id and v.model_id = o.model');
  definition := replace(definition, 'where o.api_key_id is null or k.id is not null;',
    'where (o.api_key_id is null or k.id is not null) and (o.model_version_id is null or v.id is not null);');
  definition := replace(definition, 'the wallet, the key or the price is not there', 'the wallet, the key, the price or the model is not there');
  if definition !~ 'model_version v' or definition !~ 'v.id is not null' then
    raise exception 'operation_opens() is not as the migrations made it';
  end if;
  execute definition;
end $$;
