-- Notes up to which time the audit has compared the parts with the requests.
create or replace function usage_cut_audited(moment timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update usage_cut_head set audited = moment where audited < moment and moment <= at;
end
$$;
