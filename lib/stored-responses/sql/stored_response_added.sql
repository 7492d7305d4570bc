-- Above the most responses of an account, or bytes of them, the oldest leave of those who have most
-- until nine tenths remain, so that this is not done at each insert, and nobody removes what others
-- have. Rows that another statement removes are left to it. Arguments: the most responses, the most
-- bytes.
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
      select id, row_number() over fair as place, sum(bytes) over fair as total from (
        select r.id, r.bytes, r.created_at,
            greatest(count(*) over own / responses_max::float8,
              sum(r.bytes) over own / bytes_max::float8) as share
          from stored_response r left join api_key k on k.id = r.api_key_id
         where r.account_id = new.account_id
        window own as (partition by coalesce(r.user_id, k.created_by)
          order by r.created_at desc, r.id desc)) shared
      window fair as (order by share, created_at desc, id desc)) aged on aged.id = s.id
      where (aged.place > responses_max * 9 / 10 or aged.total > bytes_max * 9 / 10)
        and s.id <> new.id
        for update of s skip locked);
  return null;
end
$$;

create or replace trigger stored_response_added after insert on stored_response
  for each row execute function stored_response_added('10000', '268435456');
