import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";
import type { HoldRequest } from "./verbs";

let url: string;
let client: pg.Client;
/** Two writers with separate connections represent two processes on one database. */
let ledgers: [OpenLedger, OpenLedger];

beforeAll(async () => {
  url = await createTestDatabase();
  client = await connect(url);
  ledgers = [await openTestLedger(url), await openTestLedger(url)];
});
afterAll(async () => {
  await Promise.all((ledgers ?? []).map((ledger) => ledger.close()));
  await client?.end();
});

const eitherLedger = (n: number): OpenLedger => ledgers[n % 2] as OpenLedger;
const failingChecks = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);

test("points for exactly k requests admit exactly k of many at once, from two processes", async () => {
  const [k, callers] = [37, extent(600, 2000)];
  const account = await seedAccount(client, ledgers[0], BigInt(k) * 10n + 9n);
  const results = await Promise.all(
    Array.from({ length: callers }, (_, i) => eitherLedger(i).openHold(holdOf(account, 10n))),
  );
  expect(results.filter(({ result }) => result === "held")).toHaveLength(k);
  expect(results.filter(({ result }) => result === "insufficient")).toHaveLength(callers - k);
  expect(await ledgers[0].balance(account.accountId)).toEqual({
    available: 9n,
    held: BigInt(k) * 10n,
  });
});

test("the same holds for a large balance", async () => {
  const account = await seedAccount(client, ledgers[0], 3n * 10n ** 14n);
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, i) => eitherLedger(i).openHold(holdOf(account, 10n ** 14n))),
  );
  expect(results.filter(({ result }) => result === "held")).toHaveLength(3);
});

test("a key's budget for exactly k requests admits exactly k, while another key of the account continues", async () => {
  const account = await seedAccount(client, ledgers[0], 1_000_000n);
  await ledgers[0].setKeyBudget(account.apiKeyId, account.accountId, 105n);
  const holds = Array.from({ length: 400 }, (_, i) =>
    holdOf(account, 10n, i % 2 ? {} : { apiKeyId: null }),
  );
  const results = await Promise.all(holds.map((hold, i) => eitherLedger(i >> 1).openHold(hold)));
  const ofKey = results.filter((_, i) => i % 2);
  expect(ofKey.filter(({ result }) => result === "held")).toHaveLength(10);
  expect(ofKey.filter(({ result }) => result === "key_budget_exhausted")).toHaveLength(190);
  expect(results.filter((_, i) => i % 2 === 0).every(({ result }) => result === "held")).toBe(true);
});

test("concurrent settles and releases from two processes, thousands of times, end each operation once", async () => {
  const account = await seedAccount(client, ledgers[0], 10n ** 12n);
  let charged = 0n;
  const race = async (n: number) => {
    const hold = holdOf(account, 10n);
    expect(await eitherLedger(n).openHold(hold)).toMatchObject({ result: "held" });
    const [settled, released] = await Promise.all([
      ledgers[0].settle(settleOf(hold, 3n)),
      ledgers[1].release(releaseOf(hold)),
    ]);
    expect([settled.result, released.result].sort()).toEqual(["already", "done"]);
    expect(settled.outcome).toBe(released.outcome);
    expect(settled.amount).toBe(released.amount);
    charged += settled.amount;
  };
  for (let n = 0; n < extent(2000, 10_000); n += 500)
    await Promise.all(Array.from({ length: 500 }, (_, i) => race(n + i)));
  expect(await ledgers[0].balance(account.accountId)).toEqual({
    available: 10n ** 12n - charged,
    held: 0n,
  });
});

test("the wallet is locked while a hold is checked: another lock makes it wait", async () => {
  const account = await seedAccount(client, ledgers[0], 100n);
  const watcher = await connect(url);
  await client.query("begin");
  await client.query("select from wallet where account_id = $1 for update", [account.accountId]);
  const hold = ledgers[0].openHold(holdOf(account, 10n));
  const isBlocked = async () => {
    const { rows } = await watcher.query(
      "select 1 from pg_stat_activity where application_name = 'relay-ledger' and wait_event_type = 'Lock' and datname = current_database()",
    );
    return rows.length > 0;
  };
  await expect.poll(isBlocked, { timeout: 1500, interval: 10 }).toBe(true);
  await client.query("commit");
  expect(await hold).toEqual({ result: "held", amount: 10n });
  await watcher.end();
});

type Verb =
  | {
      readonly kind: "hold";
      readonly amount: bigint;
      readonly least: bigint;
      readonly hasKey: boolean;
    }
  | { readonly kind: "settle"; readonly of: number; readonly amount: bigint }
  | { readonly kind: "release"; readonly of: number }
  | { readonly kind: "credit" | "take"; readonly amount: bigint; readonly ref: number };

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const amounts = fc.bigInt({ min: 1n, max: 300n });
const verbs: fc.Arbitrary<Verb> = fc.oneof(
  fc.record({
    kind: fc.constant("hold" as const),
    amount: amounts,
    least: amounts,
    hasKey: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("settle" as const), of: fc.nat(20), amount: amounts }),
  fc.record({ kind: fc.constant("release" as const), of: fc.nat(20) }),
  fc.record({
    kind: fc.constantFrom("credit" as const, "take" as const),
    amount: fc.bigInt({ min: 1n, max: 300n }),
    ref: fc.nat(6),
  }),
);

/** A model of the ledger in memory. */
class Model {
  available = 0n;
  held = 0n;
  budgetLeft = 400n;
  readonly holds: {
    request: HoldRequest;
    amount: bigint;
    hasKey: boolean;
    end: { outcome: string; amount: bigint } | null;
  }[] = [];
  readonly refs = new Map<string, bigint>();
}

async function play(
  ledger: OpenLedger,
  account: SeededAccount,
  model: Model,
  verb: Verb,
): Promise<void> {
  if (verb.kind === "hold") {
    const least = smaller(verb.least, verb.amount);
    const request = holdOf(account, verb.amount, {
      holdAmountMin: least,
      ...(verb.hasKey ? {} : { apiKeyId: null }),
    });
    const result = await ledger.openHold(request);
    const bound =
      verb.hasKey && model.budgetLeft < model.available ? model.budgetLeft : model.available;
    if (verb.hasKey && model.budgetLeft < least)
      return expect(result).toEqual({
        result: "key_budget_exhausted",
        remaining: model.budgetLeft,
        renewal: null,
      });
    if (model.available < least)
      return expect(result).toEqual({
        result: "insufficient",
        available: model.available,
        held: model.held,
      });
    const amount = smaller(verb.amount, bound);
    expect(result).toEqual({ result: "held", amount });
    model.available -= amount;
    model.held += amount;
    if (verb.hasKey) model.budgetLeft -= amount;
    model.holds.push({ request, amount, hasKey: verb.hasKey, end: null });
    return;
  }
  if (verb.kind === "settle" || verb.kind === "release") {
    const hold = model.holds[verb.of % Math.max(1, model.holds.length)];
    if (!hold) return;
    const result = await (verb.kind === "settle"
      ? ledger.settle(settleOf(hold.request, verb.amount))
      : ledger.release(releaseOf(hold.request)));
    if (hold.end) return expect(result).toEqual({ result: "already", ...hold.end });
    const due = verb.kind === "settle" ? verb.amount : 0n;
    const amount = smaller(due, hold.amount);
    hold.end = { outcome: verb.kind === "settle" ? "settled" : "released", amount };
    expect(result).toEqual({ result: "done", ...hold.end });
    model.held -= hold.amount;
    model.available += hold.amount - amount;
    if (hold.hasKey) model.budgetLeft += hold.amount - amount;
    return;
  }
  const kind = verb.kind === "credit" ? "topup" : "adjust_down";
  const ref = `${account.accountId}:${verb.ref}`;
  const result = await ledger.credit({
    accountId: account.accountId,
    kind,
    ref,
    amount: verb.amount,
    reason: "test",
    actor: "cli",
  });
  const earlier = model.refs.get(kind + ref);
  if (earlier !== undefined)
    return expect(result).toMatchObject({ result: "already", amount: earlier });
  if (kind === "adjust_down" && model.available < verb.amount)
    return expect(result).toEqual({ result: "insufficient", available: model.available });
  expect(result).toMatchObject({ result: "done", amount: verb.amount });
  model.refs.set(kind + ref, verb.amount);
  model.available += kind === "topup" ? verb.amount : -verb.amount;
}

test("any sequence of verbs gives the same answers as an in-memory model, and the audit is clean", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(verbs, { minLength: 1, maxLength: 40 }), async (sequence) => {
      const account = await seedAccount(client, ledgers[0], 0n);
      await ledgers[0].setKeyBudget(account.apiKeyId, account.accountId, 400n);
      const model = new Model();
      for (const [n, verb] of sequence.entries()) await play(eitherLedger(n), account, model, verb);
      expect(await ledgers[1].balance(account.accountId)).toEqual({
        available: model.available,
        held: model.held,
      });
    }),
    { numRuns: extent(20, 40) },
  );
  expect(await failingChecks()).toEqual([]);
});
