-- Writes the rows of holds that were granted (`granted` is null for the others), and nothing else.
-- Raises where the key, the price or the model of one is not there, or its month was dropped.
create or replace function ledger_open(
  node_name text, everyone text[], ids uuid[], payers integer[], keys text[], sources text[],
  requests text[], families text[], dialects text[], models text[], prices bigint[],
  versions bigint[], ppms integer[], quotes bigint[], granted bigint[], shas bytea[],
  seconds integer[], tags jsonb[], opened_at timestamptz, of_task boolean
) returns void language plpgsql as $$
declare
  early constant uuid := ledger_first_id(opened_at - interval '5 minutes');
  late constant uuid := ledger_first_id(opened_at + interval '5 minutes');
  opened integer;
begin
  insert into open_request (id, account_id, api_key_id, source, request_id, family, dialect, model,
      price_version_id, model_version_id, multiplier_ppm, quote_amount, hold_amount,
      request_sha256, node_id, created_at, deadline, is_task, tags)
    select u.id, everyone[payers[n]], keys[n], sources[n], requests[n], families[n], dialects[n],
           models[n], prices[n], versions[n], ppms[n], quotes[n], granted[n],
           shas[n], case when of_task then null else node_name end, opened_at,
           opened_at + make_interval(secs => seconds[n]), of_task, tags[n]
      from unnest(ids) with ordinality u(id, n)
     where granted[n] is not null
       and exists (select from price_version p where p.id = prices[n] and p.model = models[n])
       and (keys[n] is null or exists (
         select from api_key k where k.id = keys[n] and k.account_id = everyone[payers[n]]))
       and (versions[n] is null or exists (
         select from model_version v where v.id = versions[n] and v.model_id = models[n]));
  get diagnostics opened = row_count;
  if opened <> cardinality(array_remove(granted, null)) then
    raise exception 'hold: the key, the price or the model is not there'
      using errcode = 'foreign_key_violation', constraint = 'hold_names_what_exists';
  end if;
  -- By the clock of another machine: the sealer must not expect them at the time of their ids.
  insert into ledger_apart (operation_id, created_at)
    select u.id, opened_at from unnest(ids, granted) u(id, granted)
     where (u.id < early or u.id >= late) and u.granted is not null
    on conflict (operation_id) do nothing;
  if early > any(ids) and exists (select from ledger_archive_drop d, unnest(ids) x
                                   where x >= d.starts and x < d.below)
  then
    raise exception 'hold: the month of the id is only in archived files'
      using errcode = 'check_violation', constraint = 'hold_in_dropped_month';
  end if;
end
$$;
