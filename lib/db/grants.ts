/**
 * The rights of the product's database role. It owns nothing: migrations, and everything that
 * writes points, belong to another role. The ledger's functions run with their owner's rights, and
 * nothing else can write the ledger's tables.
 */
import type pg from "pg";
import type { FunctionFile } from "./function-files";

type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

const READ = ["SELECT"] as const;
const ADD = ["INSERT", "SELECT"] as const;
const CHANGE = ["INSERT", "SELECT", "UPDATE"] as const;
const ALL = ["DELETE", "INSERT", "SELECT", "UPDATE"] as const;

const of = (privileges: readonly Privilege[], ...tables: readonly string[]) =>
  tables.map((table) => [table, privileges] as const);

/** Every table and view, with the product's rights on it. */
export const tableGrants: ReadonlyMap<string, readonly Privilege[]> = new Map([
  // Only the ledger's functions write these.
  ...of(
    READ,
    "wallet",
    "open_request",
    "request",
    "request_known",
    "ledger_entry",
    "point_lot",
    "point_lot_mark",
    "point_lot_now",
    "ledger_journal",
    "operator_loss",
  ),
  ...of(READ, "api_key_budget", "member_budget", "tag_budget", "usage_day", "node_release"),
  ...of(READ, "ledger_reversal"),
  ...of(READ, "usage_waiting", "usage_of_day", "usage_hour", "usage_total_hour"),
  ...of(READ, "usage_total_day", "usage_row"),
  ...of(READ, "ledger_seal_head", "ledger_apart", "ledger_piece", "ledger_draft"),
  ...of(READ, "ledger_seal", "ledger_seal_account", "ledger_archive", "ledger_archive_part"),
  ...of(READ, "ledger_archive_drop"),
  // Written by the owner, and by triggers that run with their owner's rights.
  ...of(READ, "_prisma_migrations", "function_set", "operator_action_head", "invoice_counter"),
  // Append-only. An audit's report contains no points; prices belong to the operators, who add
  // versions.
  ...of(ADD, "operator_action", "price_version", "model_version", "model_name", "ledger_audit_run"),
  // `referral_paid` and `referral_decide` change its rows.
  ...of(ADD, "referral"),
  ...of(ADD, "incident_update"),
  // Removed by a password reset that proves an address for the first time.
  ...of(["DELETE", "INSERT", "SELECT"], "user_identity"),
  // Removed where no hold followed.
  ...of(["DELETE", "INSERT", "SELECT"], "playground_operation"),
  // `ledger_open_task` inserts its rows; the worker updates them.
  ...of(["SELECT", "UPDATE"], "video_task"),
  // A trigger on `video_task` inserts its rows; they are removed by age.
  ...of(["DELETE", "SELECT", "UPDATE"], "callback_delivery"),
  ...of(CHANGE, "account", "user", "api_key", "management_key", "model", "invite", "notice"),
  ...of(CHANGE, "operator_key"),
  ...of(ALL, "account_member", "account_invitation"),
  ...of(CHANGE, "voucher", "voucher_batch", "incident", "plan", "account_plan"),
  // A trigger removes the terms of an account that is closed.
  ...of(ALL, "auto_topup", "stripe_removal"),
  ...of(CHANGE, "auto_topup_charge", "card_checkout"),
  // A trigger removes the details of an account that is closed, and another gives an invoice its number.
  ...of(ALL, "account_billing"),
  ...of(ADD, "invoice"),
  // What a receipt names; triggers of payments and billing details write it.
  ...of(CHANGE, "receipt_parties"),
  ...of(
    CHANGE,
    "topup_package",
    "payment",
    "payment_dispute",
    "payment_event",
    "media",
    "image_result",
  ),
  // A process's lease. It says who must end a hold, never an amount.
  ...of(ALL, "node"),
  ...of(
    ALL,
    "account_model_multiplier",
    "account_group",
    "account_group_multiplier",
    "verification_token",
    "sign_in_failure",
    "ended_session",
    "user_session",
    "user_link",
    "user_totp",
    "recovery_code",
    "passkey",
    "api_key_spend_mark",
  ),
  ...of(ALL, "welcome_grant"),
  ...of(ADD, "mailbox_gift"),
  // Names go by age, and their values with them.
  ...of(["DELETE", "SELECT"], "tag_name"),
  ...of(READ, "tag_value"),
  ...of(ALL, "notification", "notification_told", "notification_choice", "notification_mail"),
  ...of(ALL, "webhook_endpoint", "webhook_delivery"),
  ...of(
    ALL,
    "channel",
    "channel_minute",
    "channel_process",
    "channel_watch",
    "upstream_price",
    "upstream_rate",
    "upstream_balance",
    "upstream_price_list",
    "upstream_listed_rate",
    "upstream_bill",
    "upstream_difference",
    "live_setting",
    "idempotent_request",
  ),
  ...of(["DELETE", "INSERT", "SELECT"], "upstream_attempt"),
  // Removed by the owner and by age; their time changes with the setting of the account.
  ...of(ALL, "request_content"),
  // Its user's, who writes and removes them.
  ...of(ALL, "studio_session", "studio_answer"),
  ...of(CHANGE, "response_account", "import_source", "import_usage"),
  ...of(ADD, "import_row"),
  // Removed by the owner and by age; never changed.
  ...of(["DELETE", "INSERT", "SELECT", "UPDATE"], "stored_response"),
]);

/**
 * The functions that the product's role may call. They run with their owner's rights. The others are
 * called by these, or by triggers.
 */
export const callableFunctions: readonly string[] = [
  "notification_to_operators",
  "ledger_hold",
  "ledger_hold_one",
  "ledger_end",
  "ledger_end_one",
  "ledger_batch",
  "ledger_open_task",
  "ledger_end_task",
  "ledger_credit",
  "ledger_credit_lot",
  "ledger_expire_lots",
  "ledger_refund",
  "ledger_set_key_budget",
  "ledger_set_key_limit",
  "ledger_key_window",
  "ledger_set_member_budget",
  "ledger_set_tag_budget",
  "tag_admit",
  "ledger_open_wallet",
  "ledger_give_node_up",
  "usage_count_waiting",
  "ledger_seal_announce",
  "ledger_seal_piece",
  "ledger_seal_due",
  "ledger_seal_day",
  "ledger_seal_hours",
  "ledger_archive_refusal",
  "ledger_archive_add",
  "ledger_archive_close",
  "ledger_partitions_ahead",
  "ledger_partition_state",
  "payment_reverse",
  "plan_cancel_renewal",
  "referral_decide",
  "account_erase",
  "account_renew",
  "webhook_pause_made",
  "webhook_wished_by",
];

/** The temporary schema comes last, so that nobody can shadow a table or function of the ledger. */
const SEARCH_PATH = "pg_catalog, public, pg_temp";

interface FunctionRow {
  readonly signature: string;
  readonly name: string;
  readonly source: string;
  readonly isAggregate: boolean;
  /** Whether it runs with its owner's rights, as its file says. */
  readonly isOwners: boolean;
  readonly isPublic: boolean;
  readonly isGranted: boolean;
}

/** `source` tells ours from another of the same name with other arguments. */
const functionsQuery = `
select p.oid::regprocedure::text as signature, p.proname as name, p.prosrc as source, p.prokind = 'a' as "isAggregate",
  p.prosecdef and coalesce(p.proconfig, '{}') @> array['search_path=${SEARCH_PATH}'] as "isOwners",
  exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as "isPublic",
  exists (select from aclexplode(p.proacl) a where a.grantee = to_regrole($1)) as "isGranted"
from pg_proc p
where p.pronamespace = 'public'::regnamespace and p.proname = any($2) and pg_has_role(p.proowner, 'usage')
order by 1`;

const tablesQuery = `
select c.relname as name, coalesce(array_agg(a.privilege_type order by a.privilege_type) filter (where a.grantee is not null), '{}') as privileges
from pg_class c left join lateral (select * from aclexplode(c.relacl) where grantee in (0, to_regrole($1))) a on true
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p', 'm', 'f') and not c.relispartition and pg_has_role(c.relowner, 'usage')
group by c.relname order by 1`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Those of our functions, of which the database has one each. */
function ours(rows: readonly FunctionRow[], files: readonly FunctionFile[]): FunctionRow[] {
  const texts = new Map(files.map(({ name, definition }) => [name, definition]));
  const isOfFile = ({ name, source, isAggregate }: FunctionRow) =>
    isAggregate || texts.get(name)?.includes(`$$${source}$$`) === true;
  const isAlone = ({ name }: FunctionRow) => rows.filter((row) => row.name === name).length === 1;
  return rows.filter((row) => isOfFile(row) || isAlone(row));
}

/** The statements that the functions of the connected role need. */
async function functionChanges(
  client: pg.ClientBase,
  role: string | null,
  files: readonly FunctionFile[],
): Promise<string[]> {
  const { rows } = await client.query<FunctionRow>(functionsQuery, [
    role === null ? null : quoted(role),
    files.map(({ name }) => name),
  ]);
  return ours(rows, files).flatMap(({ signature, name, isOwners, isPublic, isGranted }) => {
    const changes: string[] = [];
    if (callableFunctions.includes(name) && !isOwners)
      changes.push(`alter function ${signature} security definer set search_path = ${SEARCH_PATH}`);
    if (isPublic) changes.push(`revoke all on routine ${signature} from public`);
    if (role === null || isGranted === callableFunctions.includes(name)) return changes;
    changes.push(
      isGranted
        ? `revoke all on routine ${signature} from ${quoted(role)}`
        : `grant execute on function ${signature} to ${quoted(role)}`,
    );
    return changes;
  });
}

async function tableChanges(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; privileges: string[] }>(tablesQuery, [
    quoted(role),
  ]);
  return rows.flatMap(({ name, privileges }) => {
    const wanted = tableGrants.get(name);
    // A table in this schema that is not the product's stays unchanged.
    if (wanted === undefined || wanted.join() === privileges.join()) return [];
    return [
      `revoke all on ${quoted(name)} from public, ${quoted(role)}`,
      `grant ${wanted.join(", ")} on ${quoted(name)} to ${quoted(role)}`,
    ];
  });
}

/**
 * Brings the rights of what is ours in the database in line with the lists above, in a transaction of the role that
 * owns the tables, again after each migration. With `applicationRole` null the owner is the product's role,
 * and only the functions change. Changes nothing when all rights are correct.
 */
export async function applyGrants(
  client: pg.ClientBase,
  applicationRole: string | null,
  files: readonly FunctionFile[],
): Promise<void> {
  const changes = await functionChanges(client, applicationRole, files);
  if (applicationRole !== null) {
    const { rows } = await client.query<{ database: string; has: boolean }>(
      `select current_database() as database, has_schema_privilege($1, 'public', 'usage') and not has_schema_privilege($1, 'public', 'create')
         and not has_database_privilege($1, current_database(), 'temporary') as has`,
      [applicationRole],
    );
    if (rows[0]?.has === false) {
      changes.push(
        `revoke temporary, create on database ${quoted(rows[0].database)} from public, ${quoted(applicationRole)}`,
      );
      changes.push(`revoke create on schema public from public, ${quoted(applicationRole)}`);
      changes.push(`grant usage on schema public to ${quoted(applicationRole)}`);
    }
    changes.push(...(await tableChanges(client, applicationRole)));
  }
  for (const change of changes) await client.query(change);
}
