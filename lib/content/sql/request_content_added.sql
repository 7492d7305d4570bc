-- Counts what an account keeps. Above the most rows, or bytes of them, the oldest leave of the
-- members who have most until nine tenths remain, so that this is not done at each insert, and
-- nobody removes what others have. A statement adds rows of one account.
-- Rows that another statement removes are left to it. Arguments: the most rows, the most bytes.
create or replace function request_content_added() returns trigger language plpgsql as $$
declare
  rows_max  bigint := tg_argv[0];
  bytes_max bigint := tg_argv[1];
  counted   response_account;
begin
  update response_account a
    set contents = contents + n.count, content_bytes = content_bytes + n.bytes
    from (select account_id, count(*) as count, sum(bytes) as bytes from added group by 1) n
    where a.account_id = n.account_id
    returning a.* into counted;
  if not found then return null; end if;
  if counted.contents <= rows_max and counted.content_bytes <= bytes_max then return null; end if;
  delete from request_content where operation_id in (
    select c.operation_id from request_content c join (
      select operation_id, row_number() over fair as place, sum(bytes) over fair as total from (
        select r.operation_id, r.bytes, r.created_at,
            greatest(count(*) over own / rows_max::float8,
              sum(r.bytes) over own / bytes_max::float8) as share
          from request_content r left join api_key k on k.id = r.api_key_id
         where r.account_id = counted.account_id
        window own as (partition by coalesce(r.user_id, k.created_by)
          order by r.created_at desc, r.operation_id desc)) shared
      window fair as (order by share, created_at desc, operation_id desc)) aged using (operation_id)
      where aged.place > rows_max * 9 / 10 or aged.total > bytes_max * 9 / 10
        for update of c skip locked);
  return null;
end
$$;

create or replace trigger request_content_added after insert on request_content
  referencing new table as added
  for each statement execute function request_content_added('10000', '268435456');
