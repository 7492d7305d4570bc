/** Tests that every change of a row that was sealed, or is new, is found by the audit that promises it. */
import type pg from "pg";
import { describe, expect, test } from "vitest";
import { createSealableHistory, openEarlier } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { noOutcome } from "../core/verbs";
import { countAll } from "../usage/usage-counter";
import { type AuditCheck, auditNew, runRules } from "./audit";
import { newScope } from "./audit-scope";
import { totalPerDay } from "./audit-usage";
import { sealLedger } from "./seal";
import { chainRules } from "./seal-chain";
import { verifyDay, verifySealed } from "./seal-verify";

let day: string;

const url = await createSealableHistory();
const owner = await opened(connect(url));
const late = await openEarlier(owner, "acct_history_3", 50);
const { broken } = await sealLedger(owner, { piece: 200 });
expect(broken).toEqual([]);
const ledger = await openTestLedger(url);
await ledger.release({ ...late, reason: "test", loss: null, outcome: noOutcome });
await ledger.close();
await countAll(owner);
const { rows } = await owner.query<{ day: string }>(
  "select day::text from ledger_seal where number = 2",
);
day = rows[0]?.day ?? "";

// One request that ended on the day, one that is open, and one that ended after its place was read.
const sealedId =
  "(select id from request where (ended_at at time zone 'UTC')::date = $day and outcome = 'settled' and amount > 0 order by 1 limit 1)";
const openId = "(select id from open_request order by id limit 1)";
const lateId = "(select operation_id from ledger_apart where piece is null)";
const changed = (what: string) => `update request set ${what} where id = ${sealedId}`;
const anotherId = "jsonb_build_object('id', overlay(id::text placing 'ffff' from 20 for 4))";

/** `day`: also found by the audit of its day; `daily`: by the one that runs by itself. */
type Finder = "day" | "daily";
const sealedDamage: [what: string, sql: string, also: Finder[]][] = [
  ["a changed amount", changed("amount = amount - 1"), ["day"]],
  ["a changed token count", changed("input_tokens = input_tokens + 1"), ["day"]],
  ["a changed channel", changed("channel_id = 'ch_other'"), ["day"]],
  ["a changed end", changed("ended_at = ended_at + interval '1 day'"), ["day"]],
  ["a changed beginning", changed("created_at = created_at - interval '1 second'"), ["day"]],
  ["a changed name", changed("request_id = 'req_other'"), ["day"]],
  ["a changed hold", changed("hold_amount = hold_amount + 1"), ["day"]],
  [
    "a request of another account",
    changed(
      "account_id = case account_id when 'acct_history_9' then 'acct_history_8' else 'acct_history_9' end",
    ),
    ["day"],
  ],
  ["a removed request", `delete from request where id = ${sealedId}`, ["day"]],
  [
    "a request that is open again",
    `with gone as (delete from request where id = ${sealedId} returning *)
       insert into open_request select (jsonb_populate_record(null::open_request, to_jsonb(g) || '{"is_task": false}')).* from gone g`,
    ["day", "daily"],
  ],
  [
    "an added request",
    `insert into request select (jsonb_populate_record(r, ${anotherId})).* from request r where id = ${sealedId}`,
    ["day"],
  ],
  [
    "changed quantities",
    changed(`usage = jsonb_set(usage, '{quantities}', '{"input_token": 1}')`),
    ["day"],
  ],
  [
    "a changed version of the model",
    `${changed("model_version_id = 1")} and model_version_id is null`,
    ["day"],
  ],
  ["a changed entry", "update ledger_entry set amount = amount + 1 where kind = 'adjust_down'", []],
  [
    "a changed reason of an entry",
    "update ledger_entry set reason = 'other' where kind = 'refund'",
    [],
  ],
  [
    "an entry of another kind",
    "update ledger_entry set kind = 'referral' where id = (select min(id) from ledger_entry where kind = 'grant')",
    [],
  ],
  ["a removed entry", "delete from ledger_entry where kind = 'adjust_down'", []],
  [
    "an added entry",
    "insert into ledger_entry (id, account_id, kind, ref, amount, reason, actor) overriding system value select 0, account_id, kind, 'more', 1, 'x', 'x' from ledger_entry where kind = 'adjust_down'",
    [],
  ],
  ["a changed loss", "update operator_loss set estimate = estimate + 1", []],
  [
    "a removed loss",
    "delete from operator_loss where id = (select min(id) from operator_loss)",
    [],
  ],
  ["a changed piece", "update ledger_piece set requests = requests + 1 where number = 2", []],
  [
    "a changed hash of a piece",
    "update ledger_piece set hash = sha256('x') where number = 2",
    ["day", "daily"],
  ],
  ["a removed piece", "delete from ledger_piece where number = 2", ["day", "daily"]],
  [
    "the last piece removed",
    "delete from ledger_piece where number = (select max(number) from ledger_piece)",
    ["day", "daily"],
  ],
  [
    "a changed seal",
    "update ledger_seal set charges = charges + 1 where day = $day",
    ["day", "daily"],
  ],
  ["a removed seal", "delete from ledger_seal where number = 1", ["day", "daily"]],
  [
    "the last seal removed",
    "delete from ledger_seal where number = (select max(number) from ledger_seal)",
    ["day", "daily"],
  ],
  [
    "an added seal",
    "insert into ledger_seal select day - 100, number + 1000, piece, entry, accounts, requests, charges, entries, pieces_hash, accounts_hash, balances_hash, previous_hash, sha256('x') from ledger_seal where number = 1",
    ["day", "daily"],
  ],
  [
    "sums of an account moved",
    "update ledger_seal_account set charges = charges + 1 where day = $day and account_id = 'acct_history_1'",
    ["day"],
  ],
  [
    "sums by kind moved",
    "update ledger_seal_account set kinds = kinds || '{\"topup\": 1}' where day = $day and account_id = 'acct_history_1'",
    ["day"],
  ],
  [
    "a day of an account removed",
    "delete from ledger_seal_account where day = $day and account_id = 'acct_history_1'",
    ["day"],
  ],
  [
    "a last balance changed",
    "update ledger_seal_account a set charged = charged + 1, debits_after = debits_after + 1 where account_id = 'acct_history_1' and day = (select max(day) from ledger_seal_account where account_id = 'acct_history_1')",
    ["daily"],
  ],
  [
    "an account's last day removed",
    "delete from ledger_seal_account a where account_id = 'acct_history_1' and day = (select max(day) from ledger_seal_account where account_id = 'acct_history_1')",
    ["daily"],
  ],
  [
    "a sum of a sealed day moved",
    "update usage_day set amount = amount + 1 where ctid = (select ctid from usage_day where day = $day limit 1)",
    [],
  ],
  [
    "a sum of a sealed day removed",
    "delete from usage_day where ctid = (select ctid from usage_day where day = $day limit 1)",
    [],
  ],
  [
    "a sum of a day before all others",
    "insert into usage_day select account_id, api_key_id, model, date '2020-01-01', 1, 1, 1, 1 from usage_day limit 1",
    [],
  ],
  [
    "a sum of a sealed day over all accounts moved",
    "update usage_total_day set input_tokens = input_tokens + 1 where ctid = (select ctid from usage_total_day where day = $day limit 1)",
    [],
  ],
  [
    "hours that no piece has passed noted as compared",
    "update ledger_seal_head set hours_below = now()",
    ["day", "daily"],
  ],
  [
    "a request put apart afterwards",
    `insert into ledger_apart values (${sealedId}, now(), null)`,
    ["day", "daily"],
  ],
  [
    "a request moved to another piece",
    `insert into ledger_apart values (${sealedId}, now(), (select max(number) from ledger_piece))`,
    ["day"],
  ],
  ["the head moved back", "update ledger_seal_head set piece = piece - 1", ["day", "daily"]],
  [
    "a sum that waits for its seal",
    "insert into ledger_draft select (now() at time zone 'UTC')::date, 'acct_history_1', '', 'm', '', 1, 0, 1, 1, 1, 1, 0, 0",
    ["daily"],
  ],
];

const newDamage: [what: string, sql: string][] = [
  [
    "a changed open request",
    `update open_request set hold_amount = hold_amount + 1 where id = ${openId}`,
  ],
  ["a removed open request", `delete from open_request where id = ${openId}`],
  [
    "an added open request",
    `insert into open_request select (jsonb_populate_record(o, ${anotherId})).* from open_request o where id = ${openId}`,
  ],
  [
    "an open request that has ended, too",
    `insert into request select (jsonb_populate_record(null::request, to_jsonb(o)
       || '{"outcome": "released", "amount": 0, "reason": "x"}' || jsonb_build_object('ended_at', now()))).* from open_request o where id = ${openId}`,
  ],
  ["a late request removed", `delete from request where id = ${lateId}`],
  ["a late request changed", `update request set model = 'other' where id = ${lateId}`],
  ["a late request forgotten", "delete from ledger_apart where piece is null"],
  [
    "an added entry",
    "insert into ledger_entry (account_id, kind, ref, amount, reason, actor) values ('acct_history_1', 'grant', 'new', 1, 'x', 'x')",
  ],
  [
    "a wallet with more credits",
    "update wallet set credits_posted = credits_posted + 1 where account_id = 'acct_history_1'",
  ],
  [
    "a wallet with less debits",
    "update wallet set debits_posted = debits_posted - 1 where account_id = 'acct_history_1'",
  ],
  [
    "an open day's usage",
    "insert into usage_day select account_id, api_key_id, model, (now() at time zone 'UTC')::date, 1, 1, 1, 1 from usage_day limit 1 on conflict (account_id, day, api_key_id, model) do update set amount = usage_day.amount + 1",
  ],
];

/** Damages the rows in a transaction in which the audit reads, and undoes it. */
async function damaged(
  sql: string,
  audits: ((client: pg.ClientBase) => Promise<AuditCheck[] | null>)[],
): Promise<AuditCheck[][]> {
  await owner.query("begin; set local session_replication_role = replica");
  const within = {
    query: (text: string, values?: unknown[]) =>
      /^(begin|rollback)/.test(text) ? Promise.resolve() : owner.query(text, values),
  } as unknown as pg.ClientBase;
  try {
    await owner.query(sql.replaceAll("$day", `date '${day}'`));
    const found: AuditCheck[][] = [];
    for (const audit of audits) found.push(((await audit(within)) ?? []).filter(({ ok }) => !ok));
    return found;
  } finally {
    await owner.query("rollback");
  }
}

const daily = async (client: pg.ClientBase) => [
  ...(await auditNew(client)).checks,
  ...(await runRules(client, [totalPerDay(await newScope(client)), ...chainRules])),
];
const ofDay = async (client: pg.ClientBase) =>
  (await verifyDay(client, day)) ?? [{ name: "sealed", ok: false, detail: "it is not sealed" }];

describe("damage", () => {
  test("nothing is found where there is none", async () => {
    expect(day).not.toBe("");
    expect(await damaged("select 1", [verifySealed, daily, ofDay])).toEqual([[], [], []]);
  });

  test.each(sealedDamage)("of what is sealed: %s", async (_what, sql, also) => {
    const [full = [], found = [], inDay = []] = await damaged(sql, [verifySealed, daily, ofDay]);
    expect(full.length + found.length).toBeGreaterThan(0);
    if (also.includes("daily")) expect(found).not.toEqual([]);
    if (also.includes("day")) expect(inDay).not.toEqual([]);
  });

  test.each(newDamage)("of what is new: %s", async (_what, sql) => {
    const [found] = await damaged(sql, [daily]);
    expect(found).not.toEqual([]);
  });
});
