/** Damage of every kind that the audit finds, planted as the role that owns the tables. */

const anySettled =
  "id = (select id from request where outcome = 'settled' and amount between 1 and 50 order by 1 limit 1)";
const anyReleased = "id = (select id from request where outcome = 'released' order by 1 limit 1)";
/** Another request like one that ended. */
const copyOfRequest = `insert into request select (jsonb_populate_record(r, jsonb_build_object('id', overlay(id::text placing 'ffff' from 20 for 4)))).* from request r`;
/** Each breaks one rule of the audit, in tables without their triggers; and what the audit then says. */
export const damages: [name: string, sql: string, found: RegExp][] = [
  [
    "points that no credit brought",
    "update wallet set credits_posted = credits_posted + 1",
    /credits are the sum/,
  ],
  [
    "a charge counter that forgot",
    "update wallet set debits_posted = debits_posted - 1",
    /debits are the sum/,
  ],
  [
    "a pending counter that drifts",
    "update wallet set debits_pending = debits_pending + 1",
    /pending points/,
  ],
  ["a hold count that drifts", "update wallet set open_holds = open_holds + 1", /pending points/],
  [
    "a credit deleted from the journal",
    "delete from ledger_entry where kind = 'grant'",
    /credits are the sum/,
  ],
  [
    "a credit changed in the journal",
    "update ledger_entry set amount = amount + 1 where kind = 'adjust_down'",
    /debits are the sum/,
  ],
  ["a charge deleted", `delete from request where ${anySettled}`, /debits are the sum/],
  [
    "a charge made larger",
    `update request set amount = amount + 1 where ${anySettled}`,
    /tokens × price × multiplier/,
  ],
  [
    "tokens changed under a charge",
    `update request set input_tokens = input_tokens + 1000 where ${anySettled}`,
    /tokens × price × multiplier/,
  ],
  [
    "a charge above its hold",
    `alter table request drop constraint request_within_hold; update request set amount = hold_amount + 1 where ${anySettled}`,
    /between 0 and its hold/,
  ],
  [
    "a release that charges",
    `alter table request drop constraint request_released; update request set amount = 1 where ${anyReleased}`,
    /release charges nothing/,
  ],
  [
    "a release without a reason",
    `alter table request drop constraint request_released; update request set reason = null where ${anyReleased}`,
    /has a reason/,
  ],
  [
    "a charge without usage",
    `alter table request drop constraint request_settled; update request set usage = null where ${anySettled}`,
    /every charge has reported usage/,
  ],
  [
    "a request moved to another account",
    `update request set account_id = 'acct_x' where ${anySettled}`,
    /every request has a wallet/,
  ],
  [
    "a request whose hold was made smaller than its charge was due",
    `update request set hold_amount = amount, amount = amount - 1 where ${anySettled}`,
    /tokens × price × multiplier/,
  ],
  [
    "a request of no source",
    `update request set source = 'other' where ${anySettled}`,
    /every request is within the bounds/,
  ],
  [
    "a request ended twice",
    `alter table request drop constraint request_pkey; insert into request select * from request where ${anySettled}`,
    /ended twice/,
  ],
  ["an open request that is gone", "delete from open_request where not is_task", /pending points/],
  [
    "an ended request that is open again",
    `insert into open_request select (jsonb_populate_record(null::open_request, to_jsonb(r) || '{"is_task": false}')).* from request r where ${anySettled}`,
    /both open and ended/,
  ],
  [
    "a hold made smaller",
    "update open_request set hold_amount = hold_amount - 1 where not is_task",
    /pending points/,
  ],
  [
    "an open request of another account",
    "update open_request set account_id = 'acct_x' where not is_task",
    /pending points/,
  ],
  [
    "an open request of another key",
    "update open_request set api_key_id = 'key_x' where not is_task",
    /open request has a wallet, a key/,
  ],
  [
    "an open request of another model's price",
    "update open_request set model = 'other' where not is_task",
    /open request has a wallet, a key/,
  ],
  [
    "an open request that holds more than is possible",
    "alter table open_request drop constraint open_request_amounts; update open_request set hold_amount = 1000000000000001",
    /open request is within the bounds/,
  ],
  [
    "an open request whose deadline is before its beginning",
    "alter table open_request drop constraint open_request_deadline; update open_request set deadline = created_at",
    /open request is within the bounds/,
  ],
  ["a usage day that drifts", "update usage_day set amount = amount + 1", /usage per day/],
  [
    "a usage day that is gone",
    "delete from usage_day where ctid = (select min(ctid) from usage_day)",
    /usage per day/,
  ],
  ["an hour's sum that drifts", "update usage_hour set amount = amount + 1", /every hour are/],
  [
    "an hour's sum that is gone",
    "delete from usage_hour where ctid = (select min(ctid) from usage_hour)",
    /every hour are/,
  ],
  [
    "an hour's times that drift",
    "update usage_hour set latency = latency || 512::bigint",
    /every hour are/,
  ],
  [
    "a request counted twice",
    "insert into usage_waiting select id, account_id from request limit 1",
    /every hour are/,
  ],
  [
    "a request counted twice in its day",
    `insert into usage_waiting select id, account_id from request where ${anySettled}`,
    /usage per day/,
  ],
  [
    "a request that waits twice",
    "insert into usage_waiting select id, account_id from request, (values (1), (2)) v limit 2",
    /waits once/,
  ],
  [
    "a request that waits before it has ended",
    "insert into usage_waiting select id, account_id from open_request limit 1",
    /waits once/,
  ],
  ["a request that no hour counts", `${copyOfRequest} where ${anyReleased}`, /every hour are/],
  ["a request that no day counts", `${copyOfRequest} where ${anySettled}`, /usage per day/],
  [
    "a limit that no hold looks at",
    "update wallet set has_limits = false",
    /have a limit is marked so/,
  ],
  [
    "an hour of a channel that drifts",
    "update usage_total_hour set released = released + 1",
    /hour over all accounts/,
  ],
  [
    "a day of a channel that drifts",
    "update usage_total_day set input_tokens = input_tokens + 1",
    /day over all accounts/,
  ],
  ["an hour's failures that are gone", "update usage_total_hour set failed = 0", /hour over all/],
  ["a day's times that are gone", "update usage_total_day set latency = '{}'", /day over all/],
  ["a key's spend that drifts", "update api_key_budget set spent = spent + 1", /key's budget/],
  ["a key's holds that drift", "update api_key_budget set held = held + 1", /key's budget/],
  ["a loss written off", "delete from operator_loss", /tokens × price × multiplier/],
  [
    "a loss of a request that runs",
    "insert into operator_loss (operation_id, cause, estimate) select id, 'usage_missing', 1 from open_request limit 1",
    /loss belongs to a request/,
  ],
  [
    "a price changed after the fact",
    "update price_version set input_price = input_price * 3",
    /tokens × price × multiplier/,
  ],
  [
    "a request of another model's price",
    "update request set model = 'other'",
    /price of its model/,
  ],
  [
    "a refund above its charge",
    "insert into ledger_entry (account_id, kind, ref, amount, reason, actor, operation_id) select account_id, 'refund', 'more', 10000, 'x', 'x', operation_id from ledger_entry where kind = 'refund'",
    /refunded beyond its amount/,
  ],
  [
    "a refund of another's charge",
    "update ledger_entry set account_id = 'acct_x' where kind = 'refund'",
    /refunded beyond its amount/,
  ],
  [
    "a credit counted twice",
    "alter table ledger_entry drop constraint ledger_entry_once; insert into ledger_entry (account_id, kind, ref, amount, reason, actor) select account_id, kind, ref, amount, reason, actor from ledger_entry",
    /counts twice/,
  ],
  [
    "points below zero",
    "alter table wallet drop constraint wallet_available_not_negative; update wallet set debits_pending = 1000000",
    /negative available points/,
  ],
  [
    "a task that succeeded without a charge",
    "update video_task set status = 'succeeded', media_id = 'm', result_expires_at = now() where status = 'failed'",
    /task that ended agrees/,
  ],
  [
    "a task that ended and left its points held",
    "update video_task set status = 'cancelled', error_code = 'x', ended_at = now() where status = 'queued'",
    /task that ended agrees/,
  ],
  [
    "a task that ended and left its request open",
    "update video_task set status = 'cancelled', error_code = 'x', ended_at = now() where status = 'queued'",
    /open video task has an open request/,
  ],
  [
    "a task whose request is gone",
    "delete from request where id = (select operation_id from video_task where status = 'failed')",
    /task that ended agrees/,
  ],
  [
    "a held video without its task",
    "delete from video_task",
    /open video task has an open request/,
  ],
  [
    "an open task without its request",
    "delete from open_request where is_task",
    /open video task has an open request/,
  ],
  [
    "a request that only a task could end, and has none",
    "update open_request set is_task = true",
    /open video task has an open request/,
  ],
  [
    "an open request that nobody owns",
    "update open_request set node_id = null where not is_task",
    /without an owner/,
  ],
  [
    "an open request whose owner is gone",
    "update open_request set node_id = 'node_gone', created_at = now() - interval '2 minutes', deadline = now() - interval '1 minute'",
    /owner that can still end it/,
  ],
  [
    "points taken back for a payment, without its note",
    "insert into ledger_entry (account_id, kind, ref, amount, reason, actor) select account_id, 'clawback', 'pay_x:1', 5, 'x', 'x' from wallet limit 1",
    /points taken back/,
  ],
  [
    "points of a payment that were lost, without its note",
    `insert into operator_loss (cause, estimate, detail) values ('clawback_short', 5, '{"ref": "pay_x"}')`,
    /points taken back/,
  ],
  [
    "points of a voucher that never was",
    "insert into ledger_entry (account_id, kind, ref, amount, reason, actor) select account_id, 'voucher', 'vch_x', 5, 'x', 'x' from wallet limit 1",
    /every credited voucher/,
  ],
  [
    "a voucher whose points never came",
    "insert into voucher (id, code_hash, points, redeemed_at, redeemed_account_id, credited_at) select 'vch_x', sha256('x'), 5, now(), account_id, now() from wallet limit 1",
    /every credited voucher/,
  ],
  [
    "points of a plan for a payment that never was",
    "insert into ledger_entry (account_id, kind, ref, amount, reason, actor) select account_id, 'plan', 'apl_x:1', 5, 'Small', 'pay_x' from wallet limit 1",
    /every period that a payment paid/,
  ],
];
