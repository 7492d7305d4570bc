/** Notes every change of leases and wallets, so that a change that was made twice is found. */
import type pg from "pg";

/**
 * Points go into a lease, or out of it uncharged, only with a new act or with the end of the lease.
 * A message that was repeated would move them under the act that was there.
 */
export async function noteSteps(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create table step (tx text not null, account_id text not null, wallet bigint not null, lease bigint not null);
    create function note_wallet() returns trigger language plpgsql security definer as $$
    begin
      if new.leased <> old.leased and new.debits_posted = old.debits_posted and new.debits_pending = old.debits_pending then
        insert into step values (pg_current_xact_id()::text, new.account_id, new.leased - old.leased, 0);
      end if;
      return null;
    end $$;
    create trigger note_wallet after update on wallet for each row execute function note_wallet();
    create function note_lease() returns trigger language plpgsql security definer as $$
    begin
      if old is null or new is null or new.act <> old.act then
        insert into step values (pg_current_xact_id()::text, coalesce(new.account_id, old.account_id), 0, coalesce(new.amount, 0) - coalesce(old.amount, 0));
      end if;
      return null;
    end $$;
    create trigger note_lease after insert or update or delete on points_lease for each row execute function note_lease();`);
}

/** The transactions that moved points of the account without a new act. */
export async function unexplainedSteps(
  client: pg.ClientBase,
  account: string,
): Promise<readonly unknown[]> {
  const { rows } = await client.query(
    `select tx, sum(wallet) as wallet, sum(lease) as lease from step where account_id = $1
      group by tx having sum(wallet) <> sum(lease)`,
    [account],
  );
  return rows;
}
