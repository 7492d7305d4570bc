-- Whether the account has a limit of a key, a member or a tag. Called with its wallet locked.
create or replace function ledger_note_limits(account text) returns void language sql as $$
  update wallet w set version = w.version + 1, has_limits =
      exists (select from api_key_budget b where b.account_id = account)
      or exists (select from member_budget b where b.account_id = account)
      or exists (select from tag_budget b where b.account_id = account)
    where w.account_id = account
$$;
