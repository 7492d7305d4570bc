/**
 * Tests what rows that change may become, one rule at a time: a step that breaks one rule alone is
 * refused by the trigger that keeps it, and the steps beside it are taken.
 */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";

interface Rules {
  readonly trigger: string;
  readonly table: string;
  /** The row before the update. */
  readonly row: Readonly<Record<string, unknown>>;
  /** What an update sets, in SQL. */
  readonly refused: readonly string[];
  readonly taken: readonly string[];
}

const client = await opened(connect(await createTestDatabase()));
const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
const account_id = "acct_a";
const day = "2026-05-01Z";
const anotherAccount = "account_id = 'acct_b'";

const window = { kind: "month", zone: "UTC", starts_at: day, ends_at: "2026-06-01Z" };
const budget = { account_id, ...window, budget: 100, spent: 50, held: 20 };
const keyBudget = { api_key_id: "key_a", ...budget };
const next = "starts_at = ends_at, ends_at = '2026-07-01Z'";
const windowed = {
  refused: [
    anotherAccount,
    "kind = 'week'",
    "spent = 49",
    "held = 51",
    "spent = 81",
    "starts_at = '2026-05-31T23:59:59Z', spent = 0",
    "starts_at = '2026-04-01Z', spent = 0",
    `${next}, spent = 81`,
    `${next}, spent = 0, held = 101`,
  ],
  taken: [
    "spent = 80",
    "spent = 70, held = 0",
    "budget = 10",
    "budget = 10, held = 19",
    `${next}, spent = 0`,
    `${next}, spent = 80`,
  ],
};
const budgets: readonly Rules[] = [
  {
    trigger: "api_key_budget_bound",
    table: "api_key_budget",
    row: keyBudget,
    refused: [...windowed.refused, "starts_at = null"],
    taken: windowed.taken,
  },
  {
    trigger: "api_key_budget_bound",
    table: "api_key_budget",
    row: { ...keyBudget, kind: "lifetime", zone: null, starts_at: null, ends_at: null },
    refused: ["spent = 49", "held = 51", "spent = 81"],
    taken: ["spent = 80", "budget = 10", "budget = 10, spent = 60, held = 10"],
  },
  {
    trigger: "api_key_budget_bound",
    table: "api_key_budget",
    row: { ...keyBudget, kind: "tokens", zone: null },
    refused: ["spent = 49", "starts_at = '2026-05-31Z'"],
    taken: ["spent = 81", "held = 200", `${next}, spent = 200`],
  },
  {
    trigger: "member_budget_bound",
    table: "member_budget",
    row: { user_id: "user_a", ...budget },
    refused: [...windowed.refused, "user_id = 'user_b'"],
    taken: windowed.taken,
  },
  {
    trigger: "tag_budget_bound",
    table: "tag_budget",
    row: { name: "team", value: "a", ...budget },
    refused: [...windowed.refused, "name = 'b'", "value = 'b'"],
    taken: windowed.taken,
  },
];

const points: readonly Rules[] = [
  {
    trigger: "wallet_only_grows",
    table: "wallet",
    row: {
      ...{ account_id, credits_posted: 100, debits_posted: 40, debits_pending: 20 },
      ...{ open_holds: 2, version: 7 },
    },
    refused: [
      `version = 8, ${anotherAccount}`,
      "version = 6",
      "version = 7",
      "version = 9",
      "version = 8, credits_posted = 99",
      "version = 8, debits_posted = 39",
    ],
    taken: [
      "version = 8, credits_posted = 101, debits_posted = 60, debits_pending = 0, open_holds = 0",
      "version = 8",
    ],
  },
  {
    trigger: "point_lot_only_shrinks",
    table: "point_lot",
    row: {
      ...{ account_id, entry_id: 1, source: "acp_a", amount: 100, left_amount: 50 },
      ...{ expired: 10, expiries: 2, ends_at: day },
    },
    refused: [
      anotherAccount,
      "entry_id = 2",
      "source = 'acp_b'",
      "amount = 99",
      "left_amount = 51",
      "left_amount = 51, expired = 9",
      "left_amount = 40, expired = 9",
      "left_amount = 45, expired = 16",
      "expiries = 1",
    ],
    taken: ["left_amount = 0", "left_amount = 45, expired = 15, expiries = 3", "amount = 100"],
  },
  {
    trigger: "point_lot_mark_only_grows",
    table: "point_lot_mark",
    row: { account_id, debits_folded: 5 },
    refused: [anotherAccount, "debits_folded = 4"],
    taken: ["debits_folded = 6", "debits_folded = 5"],
  },
];

const seals: readonly Rules[] = [
  {
    trigger: "ledger_seal_head_only_grows",
    table: "ledger_seal_head",
    row: {
      ...{ announced: id(5), announced_entry: 5, announced_loss: 5, below: id(3) },
      ...{ piece: 3, entry: 3, loss: 3, seal: 3, hours_below: day },
    },
    refused: [
      `announced = '${id(4)}'`,
      "announced_entry = 4",
      "announced_loss = 4",
      `below = '${id(2)}'`,
      "piece = 2",
      "entry = 2",
      "loss = 2",
      "seal = 2",
      "hours_below = '2026-04-30Z'",
    ],
    taken: [
      `announced = '${id(6)}', announced_entry = 6, announced_loss = 6, below = '${id(5)}'`,
      "piece = 4, entry = 5, loss = 5, seal = 4, hours_below = '2026-05-02Z'",
      "seal = 3",
    ],
  },
  {
    trigger: "ledger_apart_once",
    table: "ledger_apart",
    row: { operation_id: id(1), created_at: day, piece: null },
    refused: [`operation_id = '${id(2)}', piece = 1`, "created_at = '2026-05-02Z', piece = 1"],
    taken: ["piece = 1"],
  },
  {
    trigger: "ledger_apart_once",
    table: "ledger_apart",
    row: { operation_id: id(1), created_at: day, piece: 1 },
    refused: ["piece = 1", "piece = 2", "piece = null"],
    taken: [],
  },
];

const ends = ["succeeded", "failed", "cancelled", "expired"];
const tasks = ["queued", "running", ...ends].map((status): Rules => {
  const row = { id: "task_a", operation_id: id(1), account_id, model: "m", model_named: "m" };
  const end = { media_id: "med_a", result_expires_at: day, error_code: "e", spec: {} };
  const may = [status, ...({ queued: ["running", ...ends], running: ends }[status] ?? [])];
  const mayNot = ["queued", "running", ...ends].filter((other) => !may.includes(other));
  return {
    ...{ trigger: "video_task_ends_once", table: "video_task" },
    row: { ...row, ...end, status, ended_at: ends.includes(status) ? day : null },
    refused: [
      ...["id = 'task_b'", `operation_id = '${id(2)}'`, anotherAccount],
      ...mayNot.map((other) => `status = '${other}'`),
    ],
    taken: may.map((to) => `status = '${to}'${ends.includes(to) ? ", ended_at = now()" : ""}`),
  };
});

const parties = { payment_id: "pay_a", seller: {}, created_at: day };
const others: readonly Rules[] = [
  {
    trigger: "api_key_maker_fixed",
    table: "api_key",
    row: { id: "key_a", account_id, name: "a", key_hash: Buffer.alloc(32), hint: "a" },
    refused: ["created_by = 'user_a'"],
    taken: ["created_by = null"],
  },
  {
    trigger: "receipt_parties_fixed",
    table: "receipt_parties",
    row: { ...parties, buyer: null },
    refused: [
      "buyer = '{}', payment_id = 'pay_b'",
      `buyer = '{}', seller = '{"name":"b"}'`,
      "buyer = '{}', created_at = '2026-05-02Z'",
    ],
    taken: ["buyer = '{}'"],
  },
  {
    trigger: "receipt_parties_fixed",
    table: "receipt_parties",
    row: { ...parties, buyer: {} },
    refused: ["buyer = buyer"],
    taken: [],
  },
  {
    trigger: "incident_keeps",
    table: "incident",
    row: { id: "inc_a", title_en: "a", models: [], began_at: day, created_by: "user_a" },
    refused: ["resolved_at = now()"],
    taken: [],
  },
];

const sumsOf = (table: string, columns: readonly string[], key: Rules["row"]): Rules => ({
  trigger: `${table}_only_grows`,
  table,
  row: { ...key, ...Object.fromEntries(columns.map((column) => [column, 5])) },
  refused: columns.map((column) => `${column} = 4`),
  taken: [columns.map((column) => `${column} = 6`).join(", "), "amount = 5"],
});
const counted = ["settled", "released", "input_tokens", "output_tokens", "amount"];
const [hour, model, channel_id, api_key_id] = [day, "m", "", ""];
const [latency, first_token] = [[], []];
const totalHour = { hour, model, channel_id, latency, failed: 3 };
const sums: readonly Rules[] = [
  sumsOf("usage_day", ["requests", ...counted.slice(2)], { account_id, api_key_id, model, day }),
  sumsOf("usage_hour", counted, {
    ...{ account_id, hour, api_key_id, model, dialect: "", family: "text", latency, first_token },
  }),
  sumsOf("usage_total_hour", ["settled", "released", "amount"], totalHour),
  {
    ...sumsOf("usage_total_hour", ["settled", "released", "amount"], totalHour),
    trigger: "usage_total_hour_failed_only_grows",
    refused: ["failed = 2"],
    taken: ["failed = 4", "failed = 3"],
  },
  sumsOf("usage_total_day", counted, { day, model, channel_id, latency, first_token }),
  sumsOf("ledger_draft", counted, {
    ...{ day, account_id, api_key_id, model, channel_id, charges: 5, timed: 5, streamed: 5 },
  }),
];

/** Leaves this row alone in its table, past all rules. */
async function place({ table, row }: Rules): Promise<void> {
  await client.query(`set session_replication_role = replica; delete from ${table}`);
  const places = Object.keys(row).map((_, at) => `$${at + 1}`);
  await client.query(
    `insert into ${table} (${Object.keys(row).join(", ")}) values (${places.join(", ")})`,
    Object.values(row),
  );
  await client.query("set session_replication_role = origin");
}

async function update(table: string, set: string) {
  await client.query("begin");
  return client.query(`update ${table} set ${set}`).finally(() => client.query("rollback"));
}

const rules = [...budgets, ...points, ...seals, ...tasks, ...others, ...sums];
test.each(rules)("$trigger refuses what it is for, and nothing else", async (each) => {
  await place(each);
  for (const set of each.refused)
    await expect(update(each.table, set), set).rejects.toThrow(`refused by ${each.trigger}`);
  for (const set of each.taken) expect((await update(each.table, set)).rowCount, set).toBe(1);
});

const counters = ["credits_posted", "debits_posted", "debits_pending", "open_holds", "version"];
test.each(counters)("a wallet starts without %s", async (column) => {
  await expect(
    client.query(`insert into wallet (account_id, ${column}) values ('acct_none', 1)`),
  ).rejects.toThrow("refused by wallet_starts_empty");
});

test("no rule of a row is left out", async () => {
  const { rows } = await client.query<{ name: string }>(
    `select distinct tgname as name from pg_trigger where tgqual is not null
        and tgfoid in ('ledger_refuse'::regproc, 'ledger_refuse_change'::regproc)`,
  );
  const tried = ["wallet_starts_empty", ...rules.map(({ trigger }) => trigger)];
  expect(rows.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
});
