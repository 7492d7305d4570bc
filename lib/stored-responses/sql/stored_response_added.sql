-- Above the most responses of an account, or bytes of them, its oldest leave until nine tenths
-- remain, so that this is not done at each insert. Rows that another statement removes are left to
-- it. Arguments: the most responses, the most bytes.
create or replace function stored_response_added() returns trigger language plpgsql as $$
declare
  responses_max bigint := tg_argv[0];
  bytes_max     bigint := tg_argv[1];
  counted       response_account;
begin
  update response_account set responses = responses + 1, bytes = response_account.bytes + new.bytes
    where account_id = new.account_id
    returning * into counted;
  if counted.responses <= responses_max and counted.bytes <= bytes_max then return null; end if;
  delete from stored_response where id in (
    select s.id from stored_response s join (
      select r.id, row_number() over newest as place, sum(r.bytes) over newest as total
        from stored_response r where r.account_id = new.account_id
      window newest as (order by r.created_at desc, r.id desc)) aged on aged.id = s.id
      where (aged.place > responses_max * 9 / 10 or aged.total > bytes_max * 9 / 10)
        and s.id <> new.id
        for update of s skip locked);
  return null;
end
$$;

create or replace trigger stored_response_added after insert on stored_response
  for each row execute function stored_response_added('10000', '268435456');
