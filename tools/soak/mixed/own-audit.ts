/**
 * An audit of its own, in plain SQL over the rows. It shares no code with the product, so that a
 * fault of the product's audit cannot hide one of its ledger.
 */
import pg from "pg";

export interface OwnAudit {
  readonly rules: number;
  readonly wallets: number;
  readonly charged: bigint;
  readonly faults: readonly string[];
}

/** Each returns the rows that are wrong. */
const rules: readonly (readonly [name: string, sql: string])[] = [
  [
    "a wallet's credits are the entries that added points",
    `select w.account_id from wallet w where w.credits_posted <> (select coalesce(sum(e.amount), 0)
       from ledger_entry e where e.account_id = w.account_id and e.kind not in ('clawback', 'expiry', 'adjust_down'))`,
  ],
  [
    "a wallet's debits are its charges and the entries that took points away",
    `select w.account_id from wallet w where w.debits_posted <> (select coalesce(sum(s.amount), 0)
       from request s where s.account_id = w.account_id) + (select coalesce(sum(e.amount), 0)
       from ledger_entry e where e.account_id = w.account_id and e.kind in ('clawback', 'expiry', 'adjust_down'))`,
  ],
  [
    "what a wallet holds is what its open requests hold",
    `select w.account_id from wallet w left join
       (select account_id, sum(hold_amount) as held, count(*) as n from open_request group by 1) q using (account_id)
      where w.debits_pending <> coalesce(q.held, 0) or w.open_holds <> coalesce(q.n, 0)`,
  ],
  [
    "no wallet is overdrawn",
    "select account_id from wallet where debits_posted + debits_pending > credits_posted",
  ],
  [
    "a request is either open or ended, and never both",
    "select id from open_request join request using (id)",
  ],
  ["no request ended twice", "select id from request group by 1 having count(*) > 1"],
  [
    "the hours of usage count every request that ended",
    `select account_id from (select account_id, settled + released as n from usage_hour
       union all select account_id, 1 from usage_waiting
       union all select account_id, -1 from request) u group by 1 having sum(n) <> 0`,
  ],
  [
    "a charge is within its hold, and what was released cost nothing",
    "select id from request where amount < 0 or amount > hold_amount or (outcome <> 'settled' and amount <> 0)",
  ],
  [
    "a charge is the price of its tokens, at most its hold",
    `select r.id from request r join price_version p on p.id = r.price_version_id
      where r.outcome = 'settled' and p.other_rates = '[]' and r.amount <> least(r.hold_amount,
        ceil((r.input_tokens::numeric * p.input_price + r.output_tokens::numeric * p.output_price)
             * r.multiplier_ppm / 1000000000000.0))`,
  ],
  [
    "a video has a result exactly when it is charged",
    `select t.id from video_task t left join request r on r.id = t.operation_id
      where (t.status = 'succeeded') is distinct from coalesce(r.outcome = 'settled', false)`,
  ],
  [
    "a video is open exactly while its request is",
    `select coalesce(t.operation_id, o.id) from (select * from video_task where status in ('queued', 'running')) t
       full join (select id from open_request where is_task) o on o.id = t.operation_id
      where t.operation_id is null or o.id is null`,
  ],
  [
    "the days of a statement are the charges of those days",
    `select coalesce(u.account_id, s.account_id) from
       (select account_id, day, sum(amount) as amount, sum(requests) as n from usage_of_day group by 1, 2) u full join
       (select account_id, (ended_at at time zone 'UTC')::date as day, sum(amount) as amount, count(*) as n
          from request where outcome = 'settled' group by 1, 2) s using (account_id, day)
      where (u.amount, u.n) is distinct from (s.amount, s.n)`,
  ],
  [
    "no business event was credited twice",
    "select kind || ' ' || ref from ledger_entry group by kind, ref having count(*) > 1",
  ],
];

const EXAMPLES = 5;

/** Audits all rows that the connection sees. */
export async function auditRows(client: pg.ClientBase): Promise<OwnAudit> {
  const faults: string[] = [];
  for (const [name, sql] of rules) {
    const { rows } = await client.query<{ what: string; total: string }>(
      `select w.what::text, count(*) over () as total from (${sql}) w (what) limit ${EXAMPLES}`,
    );
    if (rows.length > 0)
      faults.push(`not so: ${name}: ${rows[0]?.total}, as ${rows.map(({ what }) => what)}`);
  }
  const { rows } = await client.query<{ wallets: number; charged: string }>(
    "select (select count(*)::int from wallet) as wallets, (select coalesce(sum(amount), 0) from request) as charged",
  );
  const [{ wallets = 0, charged = "0" } = {}] = rows;
  return { rules: rules.length, wallets, charged: BigInt(charged), faults };
}

/** Audits all rows in one snapshot. */
export async function auditOfOwn(databaseUrl: string): Promise<OwnAudit> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    return await auditRows(client);
  } finally {
    await client.end();
  }
}
