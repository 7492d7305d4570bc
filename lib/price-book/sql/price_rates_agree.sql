-- One rate for one unit and what it is for: of two, it would be by chance which one is charged. All
-- rates of a unit are selected by the same of the order. What is only for a length of the input or
-- for some hours stands beside the rate of the rest; hours of a unit do not overlap.
create or replace function price_rates_agree() returns trigger language plpgsql as $$
begin
  if exists (select from jsonb_array_elements(new.other_rates) r group by r - 'amount'
    having count(*) > 1)
    or exists (select
      from jsonb_array_elements(new.other_rates) r,
      lateral (select string_agg(k, ',' order by k) as keys
        from jsonb_object_keys(r - array['input_from', 'hours']) k) s
      where r ->> 'unit' not in ('input_token', 'output_token') or r ? 'tier'
      group by r -> 'unit' having count(distinct s.keys) > 1) then
    raise exception 'price of %: two rates are for the same', new.model
      using errcode = 'check_violation', constraint = 'price_version_rates_agree';
  end if;
  if exists (select from jsonb_array_elements(new.other_rates) r
      where (r ? 'input_from' or r ? 'hours')
        and r - array['amount', 'input_from', 'hours'] not in (select x - 'amount'
          from jsonb_array_elements(new.other_rates || '[{"unit": "input_token"},
            {"unit": "output_token"}, {"unit": "image_token"}, {"unit": "video_token"}]') x))
    or exists (select from jsonb_array_elements(new.other_rates) r
      where left(r ->> 'hours', 5) = right(r ->> 'hours', 5))
    or exists (select from jsonb_array_elements(new.other_rates) r,
      jsonb_array_elements(new.other_rates) o,
      lateral (select left(r ->> 'hours', 5) as begins, right(r ->> 'hours', 5) as ends,
        left(o ->> 'hours', 5) as at) h
      where r -> 'unit' = o -> 'unit' and r ->> 'hours' <> o ->> 'hours'
        and case when h.begins < h.ends then h.at >= h.begins and h.at < h.ends
          else h.at >= h.begins or h.at < h.ends end) then
    raise exception 'price of %: rates by length or hours do not agree', new.model
      using errcode = 'check_violation', constraint = 'price_version_rates_agree';
  end if;
  return new;
end
$$;

create or replace trigger price_version_rates_agree before insert on price_version
  for each row when (new.other_rates <> '[]')
  execute function price_rates_agree();
