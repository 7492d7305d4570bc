-- An operation names a wallet, a key of that account and a price of its model, and stands in the
-- queue from its first moment.
create or replace function operation_opens() returns trigger language plpgsql as $$
declare named bigint;
begin
  -- Joins by primary key: a subquery per row might be planned as a scan of every key there is.
  select count(*) into named from opened o
    join wallet w on w.account_id = o.account_id
    join price_version p on p.id = o.price_version_id and p.model = o.model
    left join api_key k on k.id = o.api_key_id and k.account_id = o.account_id
    left join model_version v on v.id = o.model_version_id and v.model_id = o.model
    where (o.api_key_id is null or k.id is not null)
      and (o.model_version_id is null or v.id is not null);
  if named <> (select count(*) from opened) then
    raise exception 'operation: the wallet, the key, the price or the model is not there'
      using errcode = 'foreign_key_violation', constraint = 'operation_names_what_exists';
  end if;
  insert into open_operation (operation_id, account_id, api_key_id, model, hold_amount, node_id,
    deadline)
    select id, account_id, api_key_id, model, hold_amount, node_id, deadline from opened;
  insert into ledger_apart (operation_id, created_at)
    select o.id, o.created_at from opened o, ledger_seal_head h
      where o.id < h.announced or o.id < ledger_first_id(o.created_at - interval '5 minutes')
        or o.id >= ledger_first_id(o.created_at + interval '5 minutes')
    on conflict (operation_id) do nothing;
  return null;
end
$$;

create or replace trigger operation_opens after insert on operation
  referencing new table as opened for each statement execute function operation_opens();
