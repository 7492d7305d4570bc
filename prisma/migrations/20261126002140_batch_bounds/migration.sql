-- The batch function looks ids up within their own range, so that its plan opens the partition of today and no other; and it keeps one plan,
-- since with every partition that there is, planning would cost more than the batch. Each hold is looked up by its id, never by the range alone.
do $$
declare
  changes text[] := array[
    ['left join operation o on o.id = x.id',
     'left join lateral (select p.hold_amount from operation p where p.id = x.id and p.id between hold_first and hold_last offset 0) o on true'],
    ['where s.operation_id = e.id and s.account_id = e.account',
     'where s.operation_id = e.id and s.operation_id between end_first and end_last and s.account_id = e.account'],
    ['from operation o where o.id = e.id)', 'from operation o where o.id = e.id and o.id between end_first and end_last)']];
  definition text := pg_get_functiondef('ledger_apply(text,text[],json,json)'::regprocedure);
begin
  for n in 1..cardinality(changes) / 2 loop
    if strpos(definition, changes[n][1]) = 0 then raise exception 'ledger_apply() is not as the migrations made it'; end if;
    definition := replace(definition, changes[n][1], changes[n][2]);
  end loop;
  definition := regexp_replace(definition, '\mdeclare\s', E'declare\n  hold_first uuid;\n  hold_last uuid;\n  end_first uuid;\n  end_last uuid;\n');
  definition := regexp_replace(definition, '\mbegin\s', E'begin
  perform set_config(''plan_cache_mode'', ''force_generic_plan'', true);
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1] into end_first, end_last from json_to_recordset(ends) as x(id uuid);
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1] into hold_first, hold_last from json_to_recordset(holds) as x(id uuid);\n');
  execute definition;
end $$;
