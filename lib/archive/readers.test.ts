/**
 * Every place that reads ended requests, with what it does about requests that are only in
 * archived files. Without an entry here, a new reader would lose those silently.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { productIn } from "@/server/sources.mjs";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";

const root = join(import.meta.dirname, "../..");
const reads =
  /\b(?:from|join)\s+(?:request|request_known|usage_row|ledger_journal)\b|["'`](?:request|request_known|usage_row) [a-z]\b|\.of\("request"|\.request\.(?:find|count|group|aggregate)/i;

/** Answers say which months are left out, or read the file. A test of each shows it. */
const told: Readonly<Record<string, string>> = {
  "lib/commands/upstream-calls.ts": "a bill of a dropped month is refused, with the month",
  "lib/queries/archived.ts": "makes a request's row of its line in a file",
  "lib/queries/history.ts":
    "the list of entries, and the usage of the command line: name the months",
  "lib/queries/operator-tasks.ts": "tasks of dropped requests are listed without points",
  "lib/queries/request-detail.ts": "reads the file",
  "lib/queries/request-log.ts":
    "the list names the months; one request is read from its file; a refund says that it is archived",
  "lib/queries/statement-units.ts":
    "the statement asks for no quantities then, and names the months",
  "lib/queries/stored-tasks.ts": "tasks of dropped requests are listed without points",
  "lib/queries/task-columns.ts":
    "results of dropped requests are listed without their charge, with the way to it",
  "lib/queries/usage-candidates.ts": "the list and the CSV name the months",
};

/** Of ended requests, the sums have those of dropped months; the rows are those that no sum has yet. */
const summed: Readonly<Record<string, string>> = {
  "lib/commands/remove-channel.ts": "whether a channel was used: the sums of days have the rest",
  "lib/ledger/usage/usage-of-members.ts":
    "who ordered in the playground is not known of dropped months",
  "lib/ledger/usage/usage-sums.ts":
    "by tags, the sums of hours have those of dropped months; the rows are in no sum yet",
  "lib/queries/member-spend.ts": "of the last days; a month is dropped after three full months",
  "lib/queries/total-facts.ts": "a month is dropped when all of its requests are in the sums",
  "lib/queries/usage-facts.ts":
    "the sums of a dropped month's hours count whole; who ordered in the playground is not known of it",
};

/** Requests that ended some days ago: a month is dropped after three full months. */
const recent: Readonly<Record<string, string>> = {
  "lib/accounts/session-principal.ts": "an order that was just refused",
  "lib/idempotency/order-rows.ts": "rows of the last hour",
  "lib/idempotency/request-table.ts": "rows of the last 24 hours",
  "lib/ledger/core/recent-verbs.ts": "requests of the last minutes",
  "lib/ledger/audit/last-seal.ts": "what is not sealed; a dropped month is",
  "lib/metrics/installation-figures.ts": "open requests, and months that are not dropped",
  "lib/model-book/read-models.ts": "the model of a task that ends now",
  "lib/price-book/preview.ts": "the last 30 days",
  "lib/queries/model-figures.ts": "the last hour",
  "lib/queries/trends.ts": "the last two months",
  "lib/queries/typical-times.ts": "the latest results, since the last dropped month",
  "lib/relay/order/task-table.ts": "a task that ends now, or whose caller waits",
  "lib/results/ordered-images.ts":
    "an image that is asked for by its id; one whose request was dropped is told by its own row",
  "lib/results/image-results.ts": "an image that is made now, or an answer of the last 24 hours",
  "lib/stored-responses/response-queries.ts":
    "how a response in the background ended that is not stored; of a dropped month it is unknown, as any that is not kept",
};

/** Archives, audits and backups, whose tests have a dropped month. */
const audited: Readonly<Record<string, string>> = {
  "lib/db/upgrade/compare.ts": "the rows of both ledgers; a dropped month has none in either",
  "lib/archive/drop-month.ts": "compares the rows with the files, and drops them",
  "lib/ledger/archive/archive-register.ts":
    "what is to be archived, and that a dropped month has no rows",
  "lib/ledger/archive/archive-rows.ts": "rows that are written to files, and those read from them",
  "lib/ledger/archive/archived-piece.ts": "reads the files",
  "lib/ledger/audit/audit-hours.ts":
    "whether requests are few; hours of a dropped month are skipped",
  "lib/ledger/audit/audit-members.ts": "windows that began in a dropped month are not compared",
  "lib/ledger/audit/audit-requests.ts":
    "rows that are there; refunds of dropped charges: by the file",
  "lib/ledger/audit/audit-sums.ts": "windows that began in a dropped month are not compared",
  "lib/ledger/audit/audit-tags.ts": "windows that began in a dropped month are not compared",
  "lib/ledger/audit/audit-usage.ts": "hours that are not of a dropped month",
  "lib/ledger/audit/audit.ts": "counts what is in no seal",
  "lib/ledger/audit/piece-reading.ts": "pieces without dropped requests",
  "lib/ledger/audit/seal.ts": "what is not sealed; a dropped month is",
};

const known = { ...told, ...summed, ...recent, ...audited };
test("every reader of ended requests says what it does about archived months", () => {
  const found = productIn(root, ["lib", "server", "cli"])
    .filter(({ text }) => reads.test(text))
    .map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(known).sort());
});

test("the search recognizes a reader", () => {
  for (const text of [
    "select id from request where",
    "left join request_known r on",
    '"request r left"',
    'scope.of("request", "id")',
    "database.request.findMany({})",
  ])
    expect(text).toMatch(reads);
});

/** What functions of the database read of requests whose rows may be gone. */
const functions: Readonly<Record<string, string>> = {
  ledger_add_partition: "moves rows of its own months",
  ledger_archive_add: "what is archived, before it is dropped",
  ledger_archive_close: "what is archived, before it is dropped",
  ledger_archive_note_drop: "that the month has no rows left",
  ledger_end_limits: "requests that end now",
  ledger_ended_before: "says that there is no such request: the spool sets the end aside",
  ledger_held_before: "requests that begin now; an id of a dropped month is refused",
  ledger_hold_one: "requests that begin now",
  ledger_refund: "says that there is no charge",
  ledger_refund_bound: "refuses what was not charged",
  ledger_seal_due: "what is not sealed; a dropped month is",
  ledger_seal_piece: "what is not sealed; a dropped month is",
  ledger_seal_requests: "what is not sealed; a dropped month is",
  ledger_set_apart: "requests that end now",
  playground_operation_kept: "notes are removed only of orders that never began",
  request_exists: "when a task, an image, a loss or a refund is written",
  usage_count: "what is in no sum; a dropped month is",
  video_task_agrees: "when the state of a task changes",
};

test("so does every function of the database", async () => {
  const client = await connect(await createTestDatabase());
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
        and prosrc ~ '\\m(from|join|table)\\s+(request|request_known|usage_row|ledger_journal)\\M' order by 1`,
  );
  const { rows: keys } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f' and (confrelid = 'request'::regclass
        or confrelid in (select inhrelid from pg_inherits where inhparent = 'request'::regclass))`,
  );
  await client.end();
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(functions));
  // A foreign key would keep a month from being dropped.
  expect(keys).toEqual([]);
});
