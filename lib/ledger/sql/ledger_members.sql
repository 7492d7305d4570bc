-- The member by whom each request is made: the maker of its key, or who is signed in. Null where no
-- account of the batch has budgets of members: nothing then depends on it.
create or replace function ledger_members(
  everyone text[], ids uuid[], keys text[]
) returns text[] language plpgsql as $$
begin
  if not exists (select from member_budget b where b.account_id = any(everyone)) then
    return null;
  end if;
  return array(select ledger_member(u.id, u.key)
    from unnest(ids, keys) with ordinality u(id, key, place) order by u.place);
end
$$;
