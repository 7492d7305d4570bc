/** What of a database stays the same over its upgrade from release 0.1.0. */
import type pg from "pg";

/** What goes or comes with the ledger's tables and the sums, and how often a wallet changed. */
const changed = `{_prisma_migrations, function_set, points_lease, operation, open_operation,
  settlement, open_request, request, wallet, usage_backfill, usage_waiting, ledger_upgrade,
  usage_part, usage_cut, usage_cut_head, usage_block, usage_block_mark, usage_block_head, channel_watch,
  upstream_attempt, upstream_rate, upstream_balance, upstream_bill, upstream_difference,
  upstream_price_list, upstream_listed_rate,
  import_source, import_row, import_usage, request_content, studio_session, studio_answer,
  point_lot, point_lot_mark, plan, account_plan, mailbox_gift,
  tag_budget, tag_name, tag_value}`;
/** Columns that came later. */
const laterColumns: Readonly<Record<string, string>> = {
  account: "renewals,content_days,keeps_sessions,shared_callbacks_since",
  account_member: "usage_views",
  auto_topup_charge: "account_plan_id",
  channel: "credential_weight,credentials,headers,proxy,proxy_credential",
  channel_minute: "input_tokens,cached_tokens",
  idempotent_request: "api_key_id,user_id,asked_by",
  image_result: "items",
  payment: "plan_id,account_plan_id,period_number,period_dues,periods,periods_before",
  response_account: "contents,content_bytes",
  stored_response: "api_key_id,user_id,model",
  video_task: "channel_credential,family",
  voucher_batch: "plan_id,plan_periods",
};
/** Sums to which the upgrade adds what waited. */
const counted = "usage_(hour|total_hour|total_day)";

const linesOf = async (client: pg.ClientBase, query: string): Promise<string[]> =>
  (await client.query<{ line: string }>(`select line from (${query}) t(line) order by 1`)).rows.map(
    ({ line }) => line,
  );

/** Of each table that stays: how many rows, and what they are together. */
async function rowsOfTables(client: pg.ClientBase): Promise<Record<string, string>> {
  const names = await linesOf(
    client,
    `select quote_ident(relname) from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> all('${changed}') and relname !~ '^${counted}$'`,
  );
  const found: Record<string, string> = {};
  for (const name of names) {
    const [sum = ""] = await linesOf(
      client,
      `select count(*) || ' ' || md5(coalesce(string_agg(line, ',' order by line), ''))
         from (select (to_jsonb(t) - '{${laterColumns[name] ?? ""}}'::text[])::text from ${name} t) t(line)`,
    );
    found[name] = sum;
  }
  return found;
}

const ofEnd = `to_jsonb(s) - '{operation_id,created_at,is_followed}'::text[]
  || jsonb_build_object('ended_at', s.created_at)`;
const ofOpen = `jsonb_build_object('node_id', q.node_id, 'is_task',
  exists (select from video_task where operation_id = o.id))`;
const requestsBefore = `
  select (to_jsonb(o) - 'is_whole' || (${ofEnd}))::text
    from operation o join settlement s on s.operation_id = o.id
  union all
  select (to_jsonb(o) - 'is_whole' || ${ofOpen})::text
    from open_operation q join operation o on o.id = q.operation_id`;
const requestsNow =
  "select (to_jsonb(r) - 'tags')::text from request r union all select (to_jsonb(r) - 'tags')::text from open_request r";

const sumsOf = (table: string, by: string) => `
  select row(${by}, sum(settled), sum(released), sum(amount))::text from ${table} group by ${by}`;
const byHour = "account_id, hour, api_key_id, model, dialect";
const hoursBefore = `(
  select ${byHour}, settled, released, amount from usage_hour
  union all
  select ${byHour}, settled, released, amount from usage_row u
   where u.id in (select operation_id from usage_waiting)
      or (not u.is_followed and u.id < (select below from usage_backfill))) u`;

const wallets = `
  select row(account_id, credits_posted, debits_posted, debits_pending, open_holds)::text
    from wallet`;

/** As sets of lines: each request, each movement, each balance, and the usage of all hours. */
export async function contentsOf(client: pg.ClientBase, is: "before" | "now") {
  const isBefore = is === "before";
  return {
    tables: await rowsOfTables(client),
    requests: await linesOf(client, isBefore ? requestsBefore : requestsNow),
    journal: await linesOf(client, "select j::text from ledger_journal j"),
    wallets: await linesOf(client, wallets),
    hours: await linesOf(client, sumsOf(isBefore ? hoursBefore : "usage_hour", byHour)),
  };
}
