import type pg from "pg";
import type { MovedState } from "./expected";

/** What moved here from the only source of a database, by the source's ids. */
export async function readMovedState(client: pg.ClientBase): Promise<MovedState> {
  const users = await client.query<{ id: string; points: string }>(
    `select r.foreign_id as id, (w.credits_posted - w.debits_posted)::text as points
       from import_row r join wallet w on w.account_id = r.target_id where r.kind = 'user'`,
  );
  const keys = await client.query<{
    id: string;
    user: string;
    budget: string | null;
    off: boolean;
  }>(
    `select r.foreign_id as id, u.foreign_id as "user", b.budget::text, k.paused_at is not null as off
       from import_row r join api_key k on k.id = r.target_id
       join import_row u on u.target_id = k.account_id and u.kind = 'user'
       left join api_key_budget b on b.api_key_id = k.id and b.kind = 'lifetime' where r.kind = 'key'`,
  );
  const vouchers = await client.query<{ open: number }>(
    `select count(*)::integer as open from import_row r join voucher v on v.id = r.target_id
      where r.kind = 'voucher' and v.redeemed_at is null`,
  );
  const usage = await client.query<{ name: string; sums: string }>(
    `select concat_ws(' ', u.foreign_id, i.day, i.model, coalesce(k.foreign_id, '')) as name,
            concat_ws(' ', requests, input_tokens, output_tokens, i.quota) as sums
       from import_usage i join import_row u on u.target_id = i.account_id and u.kind = 'user'
       left join import_row k on k.target_id = i.api_key_id and k.kind = 'key'`,
  );
  return {
    balances: Object.fromEntries(users.rows.map(({ id, points }) => [id, points])),
    keys: Object.fromEntries(
      keys.rows.map(({ id, user, budget, off }) => [id, { user, budget, isPaused: off }]),
    ),
    vouchers: vouchers.rows[0]?.open ?? 0,
    usage: Object.fromEntries(usage.rows.map(({ name, sums }) => [name, sums])),
  };
}
