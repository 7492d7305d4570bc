-- Notes up to which block the audit has compared them with the sums of their hours.
create or replace function usage_blocks_audited(moment timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update usage_block_head set audited = moment where audited < moment and moment <= at;
end
$$;
