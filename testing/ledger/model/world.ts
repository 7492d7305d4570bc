/** Accounts for one schedule of the model: in the database, and in the reference. */
import type pg from "pg";
import type { Account, Key, LimitKind, Limits, Reference } from "./reference";

/** Three accounts with two keys each. The owner of one is a member of the next. */
export async function makeAccounts(
  owner: pg.ClientBase,
  credits: readonly bigint[],
): Promise<Account[]> {
  const name = crypto.randomUUID();
  const users = credits.map((_, n) => `user_${name}_${n}`);
  const accounts = credits.map((amount, n): Account => {
    const id = `acct_${name}_${n}`;
    const makers = [users[n] ?? "", users[(n + 1) % users.length] ?? ""];
    return {
      id,
      keys: makers.map((maker, k) => ({ id: `key_${id}_${k}`, maker, limits: new Map() })),
      members: new Map(makers.map((maker): [string, Limits] => [maker, new Map()])),
      isActive: true,
      credits: amount,
      debits: 0n,
      pending: 0n,
      open: 0,
    };
  });
  const ids = accounts.map(({ id }) => id);
  const keys = accounts.flatMap(({ id, keys: own }) => own.map((key) => ({ account: id, ...key })));
  await owner.query("insert into account (id) select unnest($1::text[])", [ids]);
  await owner.query(
    `insert into "user" (id, email, account_id)
       select u, u || '@example.com', a from unnest($1::text[], $2::text[]) x(u, a)`,
    [users, ids],
  );
  await owner.query(
    `insert into account_member (account_id, user_id, role)
       select a, u, 'developer' from unnest($1::text[], $2::text[]) x(a, u) on conflict do nothing`,
    [keys.map(({ account }) => account), keys.map(({ maker }) => maker)],
  );
  await owner.query(
    `insert into api_key (id, account_id, name, key_hash, hint, created_by)
       select k, a, 'test', sha256(k::bytea), 'hint', u
         from unnest($1::text[], $2::text[], $3::text[]) x(k, a, u)`,
    [keys.map(({ id }) => id), keys.map(({ account }) => account), keys.map(({ maker }) => maker)],
  );
  await owner.query(
    `select ledger_open_wallet(a), ledger_credit(a, 'grant', 'seed:' || a, c, 'test', 'system')
       from unnest($1::text[], $2::bigint[]) x(a, c)`,
    [ids, credits],
  );
  return accounts;
}

export interface NewLimit {
  readonly account: Account;
  /** Without one it is of the user. */
  readonly key: Key | null;
  readonly user: string;
  readonly kind: LimitKind;
  /** Null lifts it. */
  readonly budget: bigint | null;
}

/** Sets a limit in both. Its window lasts longer than the test. */
export async function setLimit(
  owner: pg.ClientBase,
  reference: Reference,
  { account, key, user, kind, budget }: NewLimit,
): Promise<void> {
  const zone = ["day", "week", "month"].includes(kind) ? "UTC" : null;
  const [name, of] = key
    ? (["ledger_set_key_limit", [key.id, account.id]] as const)
    : (["ledger_set_member_budget", [account.id, user]] as const);
  await owner.query(`select ${name}($1, $2, $3, $4, $5)`, [...of, kind, budget, zone]);
  for (const table of ["api_key_budget", "member_budget"])
    await owner.query(
      `update ${table} set ends_at = ends_at + interval '40 days'
        where account_id = $1 and ends_at < now() + interval '35 days'`,
      [account.id],
    );
  const limits = key ? key.limits : account.members.get(user);
  if (limits) reference.limit(limits, kind, budget, key);
}
