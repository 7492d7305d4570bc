import { join } from "node:path";
import { expect, test } from "vitest";
import { productIn } from "@/server/sources.mjs";

const root = join(import.meta.dirname, "../../..");
const tables = [
  "wallet",
  "open_request",
  "request",
  "ledger_entry",
  "operator_loss",
  "api_key_budget",
  "usage_day",
  "usage_waiting",
  "usage_hour",
  "usage_total_hour",
  "usage_total_day",
  "node_release",
  "ledger_reversal",
  "ledger_seal_head",
  "ledger_apart",
  "ledger_piece",
  "ledger_draft",
  "ledger_seal",
  "ledger_seal_account",
  "ledger_archive_part",
  "ledger_archive",
];
const models = [
  "wallet",
  "openRequest",
  "request",
  "ledgerEntry",
  "operatorLoss",
  "apiKeyBudget",
  "usageDay",
  "usageWaiting",
  "usageHour",
  "usageTotalHour",
  "usageTotalDay",
  "nodeRelease",
  "ledgerReversal",
  "ledgerSealHead",
  "ledgerApart",
  "ledgerPiece",
  "ledgerDraft",
  "ledgerSeal",
  "ledgerSealAccount",
  "ledgerArchivePart",
  "ledgerArchive",
];
const writes = new RegExp(
  `\\b(insert\\s+into|update|delete\\s+from|truncate(\\s+table)?)\\s+"?(${tables.join("|")})"?\\b|\\.(${models.join("|")})\\.(create|update|upsert|delete)|(credits_posted|debits_posted|debits_pending)\\s*=[^=]`,
  "i",
);

const folders = ["app", "components", "lib", "server", "cli", "tools"];
const writers = productIn(root, folders, /\.(tsx?|m[jt]s|sql)$/)
  .filter(({ text }) => writes.test(text))
  .map(({ path }) => path);
/** The upgrade of 0.1.0 copies the requests, as the role that owns the tables. */
const isOfLedger = (path: string) =>
  /^lib\/((ledger|archive)\/sql\/\w+\.sql|db\/upgrade\/[\w.-]+)$/.test(path);

test("no code writes points: only the ledger's SQL functions do", () => {
  expect(writers.filter((path) => !isOfLedger(path))).toEqual([]);
  expect(writers).toEqual(expect.arrayContaining(["lib/ledger/sql/ledger_credit.sql"]));
});

test("the search recognizes a statement that writes points", () => {
  for (const text of [
    "UPDATE wallet SET x = 1",
    'insert into\n "request" (a)',
    "database.wallet.update({})",
    "set debits_posted = 0",
  ])
    expect(text).toMatch(writes);
});
