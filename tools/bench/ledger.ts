/**
 * `npm run bench:ledger -- [rounds]`: the time of the ledger's functions for a hold and its end,
 * without the commit and the network, beside those of release 0.1.0 in turns on the same server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { newOperationId } from "@/lib/crypto/ids";
import { APPLICATION_ROLE, startEmbeddedPostgres } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { onlyRow } from "@/lib/db/only-row";
import { batchStatement } from "@/lib/ledger/core/batch-statement";
import { endItem, holdItem } from "@/lib/ledger/core/item";
import { holdRow, settleRow } from "@/lib/ledger/core/rows";
import { type HoldRequest, noOutcome, type SettleRequest } from "@/lib/ledger/core/verbs";
import { sessionSettings } from "@/lib/ledger/core/writer-connection";
import { loadReleaseBefore } from "@/testing/db/release-before-dump";
import { holdOf } from "@/testing/ledger/test-ledger";
import { batchesBefore } from "./ledger-before";

const ROUNDS = Number(process.argv[2] ?? 30);
const SIZES = [1, 16, 64] as const;
const ACCOUNTS = 40;
const NODE = "node_bench";
/** Batches of one side, before the other has its turn. */
const BATCHES = 20;

/** A database with the functions of a release. */
interface Side {
  readonly name: string;
  readonly client: pg.Client;
  /** Those that a batch of `size` calls; what they call is in their time. */
  functions(size: number): readonly string[];
  readonly price: string;
  hold(requests: readonly HoldRequest[]): Promise<unknown>;
  end(requests: readonly SettleRequest[]): Promise<unknown>;
}

const account = (n: number) => `acct_bench_${n}`;
const key = (n: number) => `key_bench_${n}`;

/** Accounts with points, and as many again whose keys and members have budgets. */
async function seed(owner: pg.Client): Promise<string> {
  for (let n = 0; n < 2 * ACCOUNTS; n++) {
    const [id, user, keyId] = [account(n), `user_bench_${n}`, key(n)];
    await owner.query("insert into account (id) values ($1)", [id]);
    await owner.query("select ledger_open_wallet($1)", [id]);
    await owner.query("select ledger_credit($1, 'grant', $1, 1000000000000000, 'bench', 'bench')", [
      id,
    ]);
    await owner.query(`insert into "user" (id, email, account_id) values ($1, $2, $3)`, [
      user,
      `${user}@bench.test`,
      id,
    ]);
    await owner.query(
      "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'bench', sha256($3), 'abcd', $4)",
      [keyId, id, Buffer.from(keyId), user],
    );
    if (n < ACCOUNTS) continue;
    await owner.query("select ledger_set_key_limit($1, $2, 'lifetime', 900000000000000, null)", [
      keyId,
      id,
    ]);
    await owner.query("select ledger_set_member_budget($1, $2, 'day', 900000000000000, 'UTC')", [
      id,
      user,
    ]);
  }
  await owner.query(
    "insert into node (id, store_id, lease_until) values ($1, 'bench', now() + interval '1 day')",
    [NODE],
  );
  const price = await owner.query<{ id: string }>(
    `insert into price_version (model, input_price, output_price, created_by, effective_at)
       values ('RelayV1', 1000000, 2000000, 'bench', '2026-01-01') returning id`,
  );
  return onlyRow(price).id;
}

async function open(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

async function now(databaseUrl: string): Promise<Side> {
  await applyMigrations(databaseUrl, process.cwd(), { applicationRole: APPLICATION_ROLE });
  const client = await open(databaseUrl);
  const price = await seed(client);
  await client.query(sessionSettings);
  const caller = { resolve: () => {}, reject: () => {} };
  return {
    name: "now",
    client,
    functions: (size) =>
      size === 1 ? ["ledger_hold_one", "ledger_end_one"] : ["ledger_hold", "ledger_end"],
    price,
    hold: (requests) =>
      client.query(statementOf(requests.map((request) => holdItem(holdRow(request), caller)))),
    end: (requests) =>
      client.query(statementOf(requests.map((request) => endItem(settleRow(request), caller)))),
  };
}

function statementOf(batch: Parameters<typeof batchStatement>[1]) {
  const { name, text, values } = batchStatement(NODE, batch);
  return { name, text, values: [...values, 0] };
}

async function before(databaseUrl: string): Promise<Side> {
  const client = await open(databaseUrl);
  await loadReleaseBefore(client);
  const price = await seed(client);
  await client.query(sessionSettings);
  return {
    name: "0.1.0",
    client,
    functions: () => ["ledger_apply"],
    price,
    ...batchesBefore(client, NODE),
  };
}

const holdAt = (priceVersionId: string, n: number): HoldRequest => {
  const seeded = { accountId: account(n), apiKeyId: key(n), priceVersionId };
  return holdOf(seeded, 100n, { requestId: `req_${newOperationId()}`, model: "RelayV1" });
};

const endOf = ({ operationId, accountId }: HoldRequest): SettleRequest => ({
  operationId,
  accountId,
  amount: 50n,
  usage: {
    inputTokens: 50,
    outputTokens: 25,
    reported: { prompt_tokens: 50, completion_tokens: 25 },
  },
  outcome: { ...noOutcome, channelId: "ch_bench", upstreamRef: "chatcmpl_bench", durationMs: 120 },
});

/** What the functions took within `work`, in microseconds. The counters are not reset by a commit. */
async function timeOf(
  { client, functions }: Side,
  size: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const taken = async () => {
    const { rows } = await client.query<{ ms: number }>(
      "select coalesce(sum(total_time), 0) as ms from pg_stat_xact_user_functions where funcname = any($1)",
      [functions(size)],
    );
    return onlyRow({ rows }).ms;
  };
  await client.query("begin");
  const earlier = await taken();
  await work();
  const micros = ((await taken()) - earlier) * 1000;
  await client.query("commit");
  return micros;
}

/** Microseconds a request, of holds and their ends, in batches of `size`. */
async function turn(side: Side, size: number, isLimited: boolean): Promise<number> {
  let micros = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const holds = Array.from({ length: size }, (_, n) =>
      holdAt(side.price, ((batch * size + n) % ACCOUNTS) + (isLimited ? ACCOUNTS : 0)),
    );
    micros += await timeOf(side, size, () => side.hold(holds));
    micros += await timeOf(side, size, () => side.end(holds.map(endOf)));
  }
  return micros / BATCHES / size;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function measure(sides: readonly Side[], size: number, isLimited: boolean): Promise<void> {
  const times = sides.map((): number[] => []);
  for (let round = -2; round < ROUNDS; round++)
    for (const [n, side] of sides.entries()) {
      // With the tables as they are then. The writer plans anew every five seconds.
      if (round === -1) await side.client.query("discard plans");
      const micros = await turn(side, size, isLimited);
      if (round >= 0) times[n]?.push(micros);
    }
  const medians = times.map(median);
  const ratio = (medians[1] ?? Number.NaN) / (medians[0] ?? Number.NaN);
  const cells = [
    isLimited ? "limits" : "plain",
    size,
    ...medians.map((m) => m.toFixed(0)),
    ratio.toFixed(2),
  ];
  console.log(cells.map((cell) => String(cell).padStart(9)).join(""));
}

const folder = mkdtempSync(join(tmpdir(), "relay-bench-ledger-"));
const postgres = await startEmbeddedPostgres(folder);
const admin = await open(postgres.ownerUrl);
await admin.query("create database before");
const beforeUrl = new URL(postgres.ownerUrl);
beforeUrl.pathname = "/before";
const sides = [await before(beforeUrl.href), await now(postgres.ownerUrl)];
for (const { client } of sides) await client.query("set track_functions = 'all'");
console.log("Microseconds of the functions a request, hold and end together; a batch is one call.");
console.log(
  ["", "batch", ...sides.map(({ name }) => name), "ratio"].map((c) => c.padStart(9)).join(""),
);
for (const isLimited of [false, true])
  for (const size of SIZES) await measure(sides, size, isLimited);
for (const { client } of sides) await client.end();
await admin.end();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
