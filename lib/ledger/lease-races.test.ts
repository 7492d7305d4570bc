/** The statements of points leases from several processes at once, many of them sent twice. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { type LeasedOperation, LeaseStatements } from "@/testing/ledger/lease-statements";
import {
  connect,
  holdOf,
  openTestLedger,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { newNodeId } from "../ids";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";

const POINTS = 20_000;
let client: pg.Client;
let ledger: OpenLedger;
let accounts: SeededAccount[];
let clients: pg.Client[];

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  clients = await Promise.all(Array.from({ length: 12 }, () => connect(url)));
  ledger = await openTestLedger(url);
  accounts = [];
  for (let n = 0; n < 3; n++) accounts.push(await seedAccount(client, ledger, BigInt(POINTS)));
});
afterAll(async () => {
  await ledger?.close();
  await Promise.all([client, ...(clients ?? [])].map((each) => each?.end()));
});

const random = (below: number) => Math.floor(Math.random() * below);

/** Sends a statement once, or twice at once over two connections. */
async function sent<T>(
  [first, second]: readonly [LeaseStatements, LeaseStatements],
  statement: (to: LeaseStatements) => Promise<T>,
): Promise<T[]> {
  const all = [statement(first)];
  if (random(2)) all.push(statement(second));
  return Promise.all(all);
}

/** A process that leases, runs ten requests in its memory, writes some down, and returns. */
async function live(pair: readonly [LeaseStatements, LeaseStatements]): Promise<void> {
  const [lease, account] = [crypto.randomUUID(), random(3)];
  const [answer] = await sent(pair, (to) => to.lease(lease, account, 200));
  const points = answer?.[0] ?? 0;
  if (points === 0) return;
  const running: LeasedOperation[] = [];
  for (let left = points; left > 10 && running.length < 10; ) {
    const hold = 1 + random(Math.min(left, 40));
    left -= hold;
    running.push(pair[0].newOperation(account, hold, lease));
  }
  const written = running.filter(() => random(4) === 0);
  const late =
    written.length > 0 ? sent(pair, async (to) => (await to.writeDown(written))[0]) : undefined;
  if (random(2)) await late;
  for (const operation of running) {
    const amount = random(5) === 0 ? null : random(operation.hold + 1);
    const ends = await sent(pair, async (to) => (await to.end([{ operation, amount }]))[0]);
    if (ends[0] === "o") await pair[0].endOpen(operation, amount ?? 0);
  }
  await late;
  await sent(pair, (to) => to.return([lease]));
}

test("nothing is charged twice, no point is lost, and the audit is clean throughout", async () => {
  const nodes = [newNodeId(), newNodeId()];
  const pairs = [0, 1, 2, 3, 4, 5].map((n) => {
    const [first, second] = clients
      .slice(n * 2, n * 2 + 2)
      .map((each) => new LeaseStatements(each, accounts, nodes[n % 2]));
    if (!first || !second) throw new Error("no connection");
    return [first, second] as const;
  });
  for (const [first] of pairs.slice(0, 2)) await first.register();
  for (let round = 0; round < 8; round++) {
    const others = accounts.map(async (account) => {
      const hold = holdOf(account, 50n);
      const { result } = await ledger.openHold(hold);
      if (result === "held") await ledger.settle(settleOf(hold, 7n));
    });
    await Promise.all([
      ...pairs.flatMap((pair) => [live(pair), live(pair), live(pair)]),
      ...others,
    ]);
    const { checks } = await auditLedger(client);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  }
  expect((await client.query("select from points_lease")).rowCount).toBe(0);
  expect((await client.query("select from open_operation")).rowCount).toBe(0);
  const { rows } = await client.query<{ available: string; charged: string }>(
    `select (select sum(credits_posted - debits_posted - debits_pending) from wallet) as available,
       (select sum(amount) from settlement) as charged`,
  );
  expect(Number(rows[0]?.available) + Number(rows[0]?.charged)).toBe(3 * POINTS);
  const lost = "select from settlement where reason = 'lease_lost'";
  expect((await client.query(lost)).rowCount).toBe(0);
  const leased = "select from operation where was_leased";
  expect((await client.query(leased)).rowCount).toBeGreaterThan(100);
}, 60_000);
