-- A batch of ends and holds: wallets are locked once, then the ends free points for the holds.
-- Takes the columns of ledger_end, then those of ledger_hold; answers both, separated by a
-- semicolon.
create or replace function ledger_batch(
  node_name text, everyone text[],
  end_ids uuid[], end_payers integer[], settles boolean[], charges bigint[], inputs bigint[],
  outputs bigint[], usages jsonb[], reasons text[], channels text[], upstreams text[],
  streams boolean[], abandons boolean[], durations integer[], firsts integer[], causes text[],
  estimates bigint[], details jsonb[],
  ids uuid[], payers integer[], keys text[], sources text[], requests text[], families text[],
  dialects text[], models text[], prices bigint[], versions bigint[], ppms integer[],
  quotes bigint[], amounts bigint[], leasts bigint[], shas bytea[], seconds integer[],
  tags jsonb[] default null
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  ends text;
begin
  ends := ledger_end(everyone, end_ids, end_payers, settles, charges, inputs, outputs, usages,
    reasons, channels, upstreams, streams, abandons, durations, firsts, causes, estimates, details);
  return ends || ';' || ledger_hold(node_name, everyone, ids, payers, keys, sources, requests,
    families, dialects, models, prices, versions, ppms, quotes, amounts, leasts, shas, seconds,
    tags);
end
$$;
