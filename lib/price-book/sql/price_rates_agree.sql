-- One rate for one unit and what it is for: of two, it would be by chance which one is charged. All
-- rates of a unit are selected by the same.
create or replace function price_rates_agree() returns trigger language plpgsql as $$
begin
  if exists (select from jsonb_array_elements(new.other_rates) r group by r - 'amount'
    having count(*) > 1)
    or exists (select
      from jsonb_array_elements(new.other_rates) r,
      lateral (select string_agg(k, ',' order by k) as keys from jsonb_object_keys(r) k) s
      group by r -> 'unit' having count(distinct s.keys) > 1) then
    raise exception 'price of %: two rates are for the same', new.model
      using errcode = 'check_violation', constraint = 'price_version_rates_agree';
  end if;
  return new;
end
$$;

create or replace trigger price_version_rates_agree before insert on price_version
  for each row when (new.other_rates <> '[]')
  execute function price_rates_agree();
