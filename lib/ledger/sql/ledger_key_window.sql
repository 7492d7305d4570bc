-- The window of a moment, from its beginning to the next one's. Days, weeks (from Monday) and
-- months begin at midnight in their zone: at the later of two midnights where clocks go back over
-- it, and right after the gap where they skip it.
create or replace function ledger_key_window(
  window_kind text, window_zone text, moment timestamptz, out starts_at timestamptz, out ends_at
  timestamptz
)
language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  step interval;
  beginning timestamp;
begin
  if window_kind = 'tokens' then
    starts_at := date_trunc('minute', moment, 'UTC');
    ends_at := starts_at + interval '1 minute';
    return;
  end if;
  step := ('1 ' || window_kind)::interval;
  beginning := date_trunc(window_kind, moment at time zone window_zone);
  if beginning at time zone window_zone > moment then
    beginning := beginning - step;
  elsif (beginning + step) at time zone window_zone <= moment then
    beginning := beginning + step;
  end if;
  starts_at := beginning at time zone window_zone;
  ends_at := (beginning + step) at time zone window_zone;
end
$$;
