-- The hash of a row of the audit log: of the one before and of everything that this one says.
create or replace function operator_action_hash(previous bytea, a operator_action) returns bytea
language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    a.seq, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.actor, a.action,
    a.subject, a.detail)::text, 'UTF8'))
$$;
