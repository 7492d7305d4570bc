/**
 * Writes a history of requests with a few statements of SQL, as the owner of the database: under all
 * constraints and triggers, and so that the audit is clean.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { transact } from "@/lib/db/transaction";

export interface HistoryPlan {
  /** The first one makes a tenth of all requests. */
  readonly accounts: number;
  readonly requests: number;
  readonly days: number;
  /** Of the requests, how many are open, made in the last minute. */
  readonly open: number;
  /** The same seed writes the same history, but for the moment at which it ends. */
  readonly seed: number;
  /** In place of `writeRequestsSql`: for the tables of another release. */
  readonly writeSql?: string;
}

const PIECE = 20_000;
const CREDIT = 10n ** 15n;

/** Keys of an account: the third is rarely used. One request in ten has none. */
const accountsSql = `
  with a as (insert into account (id) select 'acct_history_' || i from generate_series(1, $1::int) i returning id)
  insert into api_key (id, account_id, name, key_hash, hint)
    select 'key_' || a.id || '_' || k, a.id, 'key ' || k, sha256((a.id || k)::bytea), 'hint' from a, generate_series(1, 3) k`;
const creditsSql = `
  select count(ledger_credit(id, 'grant', 'history:' || id, ${CREDIT}, 'history', 'system'))
    from (select id, ledger_open_wallet(id) from account where id like 'acct\\_history\\_%' order by id) a`;

/** Otherwise the open requests would be released as those of a dead process. */
const nodeSql =
  "insert into node (id, store_id, lease_until) values ('node_history', 'history', now() + interval '1 day')";

/** The models with a price now; the first ones are asked for most, the last one hardly ever. */
const pricesSql = `
  create temporary table history_price as
    select row_number() over (order by case when model ilike '%v1%' then 0 when model ilike '%2.5' then 2 else 1 end, model) as place,
           count(*) over () as of, * from (
      select distinct on (model) model, id, coalesce(input_price, 0) as input_price, output_price,
             case when model ilike '%image%' then 'image' when model ilike '%super%' then 'video' else 'text' end as family
        from price_version where effective_at <= now() order by model, effective_at desc) p`;

const pieceSql = `
  create temporary table made_request as
    select id, account, key, 'req_' || noise as request_id, family, model,
           case when end_draw > 0.5 and end_draw < 0.6 and family = 'text' then 'messages' end as dialect, price, 1000000 as multiplier_ppm,
           due + 10 as quote, due + 10 as hold, 'node_history' as node, at, greatest(at, now()) + interval '2 hours' as deadline,
           case when $4 then null when end_draw < 0.97 then 'settled' else 'released' end as outcome, at + duration * interval '1 millisecond' as ended_at,
           due, input_tokens, output as output_tokens, case when end_draw >= 0.97 then 'upstream_failed' end as reason, 'ch_history_' || (1 + who % 3) as channel,
           null as upstream_ref, is_stream, null::boolean as is_abandoned, duration, case when is_stream then duration / 4 end as first_byte, null as loss
      from (
    select d.*, p.model, p.family, p.id as price, 'acct_history_' || d.who as account,
           case when key_draw < 0.1 or p.family = 'image' and i % 2 = 0 then null when key_draw < 0.1005 then 'key_acct_history_' || d.who || '_3'
                else 'key_acct_history_' || d.who || '_' || case when key_draw < 0.7 then 1 else 2 end end as key,
           (lpad(to_hex(floor(extract(epoch from d.at) * 1000)::bigint), 12, '0') || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid as id,
           case when p.family = 'text' then input else 0 end as input_tokens,
           div((case when p.family = 'text' then input else 0 end * p.input_price::numeric + output * p.output_price::numeric) * 1000000 + 999999999999,
               1000000000000)::bigint as due
      from (select i, case when random() < 0.1 then 1 else 1 + floor(random() * $1)::int end as who, md5(random()::text || i) as noise,
                   now() - case when $4 then random() * interval '1 minute' else interval '2 hours' + ($5 + random() * $6) * $3::float8 * interval '1 day' end as at,
                   random() as model_draw, random() as key_draw, random() as end_draw, floor(50 + random() * 4000)::bigint as input,
                   floor(10 + random() * random() * 2000)::bigint as output, floor(exp(5.5 + 3 * random()))::int as duration, random() < 0.5 as is_stream
              from generate_series(1, $2) i) d
      join history_price p on p.place = case when model_draw < 0.0002 then p.of else least(greatest(p.of - 1, 1), 1 + floor(p.of * model_draw * model_draw)) end) piece`;

/**
 * Writes the requests of the temporary table `made_request`, and drops it. Bundles lie as deep in the
 * project as this file does.
 */
export const writeRequestsSql = readFileSync(
  join(import.meta.dirname, "../../testing/ledger/write-requests.sql"),
  "utf8",
);

async function writePiece(
  client: pg.ClientBase,
  plan: HistoryPlan,
  requests: number,
  isOpen: boolean,
  [ago, share]: readonly [ago: number, share: number] = [0, 1],
): Promise<void> {
  await transact(client, async () => {
    await client.query(pieceSql, [plan.accounts, requests, plan.days, isOpen, ago, share]);
    await client.query(plan.writeSql ?? writeRequestsSql);
  });
}

async function writeAccounts(client: pg.ClientBase, plan: HistoryPlan): Promise<void> {
  await transact(client, async () => {
    await client.query(accountsSql, [plan.accounts]);
    await client.query(creditsSql);
    await client.query(nodeSql);
  });
}

/**
 * Writes the accounts of the plan and their requests, or those that are missing, where so many ended
 * ones were `written` when it was stopped. `client` is the owner's.
 */
export async function writeHistory(
  client: pg.ClientBase,
  plan: HistoryPlan,
  onProgress: (requests: number) => void = () => {},
  written = 0,
): Promise<void> {
  await client.query("select setseed($1)", [(plan.seed + written / plan.requests) / 1000]);
  if (written === 0) await writeAccounts(client, plan);
  await client.query(pricesSql);
  const ended = plan.requests - plan.open;
  for (let done = written; done < ended; done += PIECE) {
    // Rows lie in the order of their time, as those of a real history do.
    const requests = Math.min(PIECE, ended - done);
    const share = requests / ended;
    await writePiece(client, plan, requests, false, [1 - done / ended - share, share]);
    onProgress(done);
  }
  if (plan.open > 0) await writePiece(client, plan, plan.open, true);
  await client.query("drop table history_price");
}

/**
 * Figures of the rows that were written at once, which a running server has by itself. Without them
 * the joins of many tests take ten times as long.
 */
export async function analyzeRequests(owner: pg.ClientBase): Promise<void> {
  await owner.query("analyze request, open_request, usage_waiting");
}

/** As if no request so far had been counted. */
export async function forgetSums(owner: pg.ClientBase): Promise<void> {
  await transact(owner, async () => {
    await owner.query("set local session_replication_role = replica");
    for (const table of ["waiting", "day", "hour", "total_hour", "total_day"])
      await owner.query(`delete from usage_${table}`);
    await owner.query("insert into usage_waiting select id, account_id from request");
  });
}

/** As if nothing had been sealed. */
export async function forgetSeals(owner: pg.ClientBase): Promise<void> {
  await transact(owner, async () => {
    await owner.query("set local session_replication_role = replica");
    for (const table of ["piece", "seal", "seal_account", "draft", "apart"])
      await owner.query(`delete from ledger_${table}`);
    await owner.query(
      `update ledger_seal_head set announced = $1, below = $1, announced_entry = $2, announced_loss = $2, entry = $2, loss = $2,
              piece = 0, seal = 0, hours_below = '-infinity'`,
      ["00000000-0000-0000-0000-000000000000", "-9223372036854775807"],
    );
  });
  for (const table of ["draft", "apart", "seal_head"])
    await owner.query(`vacuum analyze ledger_${table}`);
}
