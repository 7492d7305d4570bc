-- Processes of the release before read and write multiplier_ppm, in which no multiplier is 1. Both
-- columns follow each other.
create or replace function account_own_multiplier() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.own_multiplier_ppm is null and new.multiplier_ppm <> 1000000 then
      new.own_multiplier_ppm := new.multiplier_ppm;
    end if;
  elsif new.own_multiplier_ppm is not distinct from old.own_multiplier_ppm
    and new.multiplier_ppm <> old.multiplier_ppm then
    new.own_multiplier_ppm := nullif(new.multiplier_ppm, 1000000);
  end if;
  new.multiplier_ppm := coalesce(new.own_multiplier_ppm, 1000000);
  return new;
end
$$;

create or replace trigger account_own_multiplier before insert
  or update of multiplier_ppm, own_multiplier_ppm on account
  for each row execute function account_own_multiplier();
