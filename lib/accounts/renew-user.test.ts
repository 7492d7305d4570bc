/** Every table with something of an account or a user is decided upon when it begins anew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";

const site = await opened(startSiteProcess());

const byUser = "The caller ends it with the sessions.";
const ledger = "It is what happened: points and requests stay with the account.";
const orders = "It was ordered with the account's points, and its owner sees and hides it.";
const operators = "An operator decided it.";
const ends = "It ends with its key, task, membership or webhook.";

/** Why a table keeps its rows. */
const kept: Readonly<Record<string, string>> = {
  account_model_multiplier: operators,
  welcome_grant: operators,
  mailbox_gift: "It says what a mailbox got, so that it gets it once.",
  user_session: byUser,
  wallet: ledger,
  open_request: ledger,
  request: ledger,
  request_earlier: ledger,
  request_default: ledger,
  ledger_entry: ledger,
  ledger_reversal: ledger,
  point_lot: ledger,
  plan: operators,
  account_plan: "The plan belongs to the account, not to a person; its renewal by card is stopped.",
  point_lot_mark: ledger,
  ledger_draft: ledger,
  ledger_seal_account: ledger,
  usage_day: ledger,
  usage_waiting: ledger,
  usage_hour: ledger,
  payment: ledger,
  import_usage: ledger,
  invoice: ledger,
  auto_topup_charge: "A charge that was sent is finished, and credited.",
  voucher: ledger,
  playground_operation: ledger,
  api_key_budget: ends,
  tag_budget: "It bounds what the account's requests cost, whoever makes them.",
  tag_name: ledger,
  tag_value: ledger,
  media: orders,
  image_result: orders,
  stored_response: orders,
  request_content: "It goes with the setting of its account, which is renewed.",
  studio_session: "It is of the account, and goes with its user.",
  studio_answer: "It goes with its session.",
  response_account: "The key of what the account keeps, and how much that is.",
  idempotent_request: "Only the key that asked is answered, and it has ended.",
  notification: "It says what happened.",
  notification_told: "It says what was found, so that nothing is told twice.",
  notification_mail: "It goes to the user's address.",
  invite: operators,
  // Their makers are operators.
  account_group: operators,
  model: operators,
  model_version: operators,
  notice: operators,
  incident: operators,
  incident_update: operators,
  price_version: operators,
  voucher_batch: operators,
};

test("each table with something of an account or a user is renewed, or it is said why not", async () => {
  const { rows } = await site.deps.pool.query<{ name: string }>(
    `select distinct c.table_name as name from information_schema.columns c join pg_class t on t.relname = c.table_name
        and t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
      where c.table_schema = 'public' and c.column_name ~ '(account|user|owner|referrer)_id$|^created_by$' and c.column_name <> 'provider_account_id'`,
  );
  const source = readFileSync(join(import.meta.dirname, "sql/account_renew.sql"), "utf8");
  const changed = [...source.matchAll(/(?:update|delete from|from) "?([a-z_]+)"?/g)].map(
    ([, name = ""]) => name,
  );
  const undecided = rows
    .map(({ name }) => name)
    .filter((name) => !changed.includes(name) && kept[name] === undefined);
  expect(undecided).toEqual([]);
  const known = new Set(rows.map(({ name }) => name));
  expect(Object.keys(kept).filter((name) => !known.has(name) && !/^request_/.test(name))).toEqual(
    [],
  );
});
