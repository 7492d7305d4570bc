-- Notes that the hours of usage before `moment` were compared; they must be in pieces.
create or replace function ledger_seal_hours(moment timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update ledger_seal_head set hours_below = moment
    where hours_below < moment and below >= ledger_first_id(moment + interval '10 minutes');
end
$$;
