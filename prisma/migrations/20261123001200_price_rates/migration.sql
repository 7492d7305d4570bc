-- A price is a list of rates. The two columns that were there are two of them: the input tokens, and the tokens that the model's family
-- generates. The others are one value of the same row, so that the list is written once, as a whole, and stays what it was: a row of another
-- table could be added to a version under which points are held. A price of an earlier release has no others, and means what it meant.
alter table price_version
  add column other_rates jsonb not null default '[]',
  add constraint price_version_other_rates check (
    case when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? (!(@.key == "unit" || @.key == "amount" || @.key == "size" || @.key == "quality" || @.key == "resolution" || @.key == "audio"))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string" && (@.unit == "cached_input_token" || @.unit == "cache_write_token" || @.unit == "reasoning_token" || @.unit == "image" || @.unit == "second" || @.unit == "request")))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.amount.type() == "number" && @.amount >= 0 && @.amount <= 1000000000000 && @.amount.floor() == @.amount))')
      and not jsonb_path_exists(other_rates, '$[*] ? ((exists(@.size) || exists(@.quality)) && @.unit != "image" || (exists(@.resolution) || exists(@.audio)) && @.unit != "second")')
      and not jsonb_path_exists(other_rates, '$[*] ? (exists(@.audio) && @.audio.type() != "boolean")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? (@.key == "size" || @.key == "quality" || @.key == "resolution").value ? (!(@.type() == "string" && @ like_regex "^[0-9A-Za-z._:-]{1,40}$"))')
    end);

-- The same for what an upstream asks, in millionths of its currency.
alter table upstream_price
  add column other_rates jsonb not null default '[]',
  add constraint upstream_price_other_rates check (
    case when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string" && @.amount.type() == "number" && @.amount >= 0 && @.amount <= 1000000000000000 && @.amount.floor() == @.amount))')
    end);

-- One rate for one unit and what it is for: of two, it would be by chance which one is charged. All rates of a unit are selected by the same.
create function price_rates_agree() returns trigger language plpgsql as $$
begin
  if exists (select from jsonb_array_elements(new.other_rates) r group by r - 'amount' having count(*) > 1)
     or exists (select from jsonb_array_elements(new.other_rates) r, lateral (select string_agg(k, ',' order by k) as keys from jsonb_object_keys(r) k) s
                 group by r -> 'unit' having count(distinct s.keys) > 1) then
    raise exception 'price of %: two rates are for the same', new.model using errcode = 'check_violation', constraint = 'price_version_rates_agree';
  end if;
  return new;
end $$;
create trigger price_version_rates_agree before insert on price_version for each row
  when (new.other_rates <> '[]') execute function price_rates_agree();
