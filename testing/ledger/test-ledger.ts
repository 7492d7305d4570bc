/**
 * Helpers for the ledger's tests: accounts with points, and default requests that a test may
 * override.
 */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { newId, newOperationId } from "@/lib/crypto/ids";
import { connectDatabase } from "@/lib/db/client";
import { openPool } from "@/lib/db/pool";
import type { TaskOpening } from "@/lib/ledger/core/task-verbs";
import type { HoldRequest, Outcome, ReleaseRequest, SettleRequest } from "@/lib/ledger/core/verbs";
import { createLedger, type LedgerOptions, type OpenLedger } from "@/lib/ledger/ledger";
import { createTestDatabase, ownerUrlOf } from "../db/test-database";

export interface SeededAccount {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly priceVersionId: string;
}

/** A price of 1 micropoint per token in and 2 out. */
export async function seedPrice(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into price_version (model, input_price, output_price, created_by, effective_at) values ('test-model', 1000000, 2000000, 'test', '2026-01-01')
     on conflict (model, effective_at) do nothing returning id`,
  );
  if (rows[0]) return rows[0].id;
  const found = await client.query<{ id: string }>(
    "select id from price_version where model = 'test-model'",
  );
  return String(found.rows[0]?.id);
}

/** An account with a wallet of `amount` micropoints, one key, and a price for `test-model`. */
export async function seedAccount(
  client: pg.ClientBase,
  ledger: OpenLedger,
  amount: bigint,
): Promise<SeededAccount> {
  const accountId = `acct_${crypto.randomUUID()}`;
  const apiKeyId = `key_${crypto.randomUUID()}`;
  await client.query("insert into account (id) values ($1)", [accountId]);
  await client.query(
    "insert into api_key (id, account_id, name, key_hash, hint) values ($1, $2, 'test', sha256($3), 'hint')",
    [apiKeyId, accountId, Buffer.from(apiKeyId)],
  );
  await ledger.openWallet(accountId);
  if (amount > 0n) {
    await ledger.credit({
      accountId,
      kind: "grant",
      ref: `seed:${accountId}`,
      amount,
      reason: "test",
      actor: "system",
    });
  }
  return { accountId, apiKeyId, priceVersionId: await seedPrice(client) };
}

export function holdOf(
  account: SeededAccount,
  holdAmount: bigint,
  changes: Partial<HoldRequest> = {},
): HoldRequest {
  return {
    operationId: newOperationId(),
    accountId: account.accountId,
    apiKeyId: account.apiKeyId,
    source: "api",
    requestId: "req_test",
    family: "text",
    model: "test-model",
    priceVersionId: account.priceVersionId,
    multiplierPpm: 1_000_000,
    quoteAmount: holdAmount,
    holdAmount,
    holdAmountMin: holdAmount,
    requestSha256: new Uint8Array(32),
    deadlineSeconds: 600,
    ...changes,
  };
}

const testOutcome: Outcome = {
  channelId: "ch_test",
  upstreamRef: "chatcmpl-test",
  isStream: false,
  durationMs: 12,
  firstByteMs: null,
  isAbandoned: false,
};

/** A settlement of `amount` input tokens, which cost one micropoint each. */
export const settleOf = (hold: HoldRequest, amount: bigint): SettleRequest => ({
  operationId: hold.operationId,
  accountId: hold.accountId,
  amount,
  usage: {
    inputTokens: Number(amount),
    outputTokens: 0,
    reported: { prompt_tokens: Number(amount), completion_tokens: 0 },
  },
  outcome: testOutcome,
});

export const releaseOf = (hold: HoldRequest, reason = "upstream_failed"): ReleaseRequest => ({
  operationId: hold.operationId,
  accountId: hold.accountId,
  reason,
  loss: null,
  outcome: testOutcome,
});

/** A video task to open with a hold. */
export const taskOf = (changes: Partial<TaskOpening> = {}): TaskOpening => ({
  taskId: newId("task"),
  modelNamed: "super-relay",
  spec: {},
  imageUrls: [],
  callbackUrl: null,
  leaseOwner: "test",
  leaseSeconds: 60,
  ...changes,
});

/** A request that was held and settled for `amount` micropoints. */
export async function charged(
  ledger: Pick<OpenLedger, "openHold" | "settle">,
  account: SeededAccount,
  amount: bigint,
  changes: Partial<HoldRequest> = {},
): Promise<HoldRequest> {
  const hold = holdOf(account, amount, changes);
  const { result } = await ledger.openHold(hold);
  if (result !== "held") throw new Error(`the hold ended as ${result}`);
  await ledger.settle(settleOf(hold, amount));
  return hold;
}

export const newSpoolFolder = (): string => mkdtempSync(join(tmpdir(), "relay-spool-"));

export const openTestLedger = (
  databaseUrl: string,
  options: Partial<LedgerOptions> = {},
): Promise<OpenLedger> =>
  createLedger({ databaseUrl, spoolFolder: newSpoolFolder(), log: logUnexpected, ...options });

function logUnexpected(event: string, detail: unknown): void {
  if (event === "ledger_batch_unanswered" && (detail as { code?: string }).code?.startsWith("42"))
    console.error(event, detail);
}

/** Connects as the owner of the database, who may write tables that the product's role may not. */
export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrlOf(databaseUrl) });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** A new database with a ledger on it, a connection of the owner, and a pool of the product. */
export interface LedgerDatabase {
  readonly url: string;
  readonly client: pg.Client;
  readonly pool: pg.Pool;
  readonly ledger: OpenLedger;
  close(): Promise<void>;
}

export async function openLedgerDatabase(): Promise<LedgerDatabase> {
  const url = await createTestDatabase();
  const client = await connect(url);
  const ledger = await openTestLedger(url);
  const pool = openPool(url);
  return {
    ...{ url, client, ledger, pool },
    async close() {
      await ledger.close();
      await Promise.all([pool.end(), client.end()]);
    },
  };
}

/** The same with several ledgers, each as of a process of its own. */
export async function openLedgers(count: number) {
  const first = await openLedgerDatabase();
  const { url, ledger } = first;
  const others = await Promise.all(Array.from({ length: count - 1 }, () => openTestLedger(url)));
  const ledgers = [ledger, ...others];
  const database = connectDatabase(url);
  return {
    ...{ ...first, ledgers, database },
    ledgerAt: (at: number) => ledgers[at % count] ?? ledger,
    async close() {
      await Promise.all(others.map((other) => other.close()));
      await database.$disconnect();
      await first.close();
    },
  };
}
