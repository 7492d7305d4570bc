-- Points that are taken back lower the balance: that is no reason to charge the card again.
create or replace function auto_topup_money_back() returns trigger language plpgsql as $$
begin
  update auto_topup set paused = 'money_back', paused_at = now()
    where is_on and paused is null
      and account_id = (select account_id from payment where id = to_jsonb(new) ->> tg_argv[0]);
  return null;
end
$$;

create or replace trigger payment_auto_topup_refunded after update of refunded on payment
  for each row when (new.refunded > old.refunded)
  execute function auto_topup_money_back('id');
create or replace trigger payment_auto_topup_disputed after insert on payment_dispute
  for each row execute function auto_topup_money_back('payment_id');
