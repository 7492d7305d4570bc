-- The batch function looks its ids up within their own range, so that its plan opens the partition of today and no other; and it keeps one plan,
-- since with every partition that there is, planning would cost more than the batch.
do $$
declare
  definition text := pg_get_functiondef('ledger_apply(text,text[],json,json)'::regprocedure);
  changed text;
begin
  changed := replace(definition, 'left join operation o on o.id = x.id', 'left join operation o on o.id = x.id and o.id between id_first and id_last');
  changed := replace(changed, 'where s.operation_id = e.id and s.account_id = e.account',
                     'where s.operation_id = e.id and s.operation_id between id_first and id_last and s.account_id = e.account');
  if changed not like '%o.id between id_first%' or changed not like '%s.operation_id between id_first%' then raise exception 'ledger_apply() is not as the migrations made it'; end if;
  definition := changed;
  changed := regexp_replace(definition, '\mdeclare\s', E'declare\n  id_first uuid;\n  id_last uuid;\n');
  changed := regexp_replace(changed, '\mbegin\s', E'begin
  perform set_config(''plan_cache_mode'', ''force_generic_plan'', true);
  select (array_agg(i.id order by i.id))[1], (array_agg(i.id order by i.id desc))[1] into id_first, id_last
    from (select x.id from json_to_recordset(ends) as x(id uuid) union all select x.id from json_to_recordset(holds) as x(id uuid)) i;\n');
  execute changed;
end $$;
