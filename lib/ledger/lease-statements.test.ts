/** The statements of points leases, in lockstep with the model whose protocol was checked. */
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { type LeasedOperation, LeaseStatements } from "@/testing/ledger/lease-statements";
import { connect, openTestLedger, seedAccount } from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";

let client: pg.Client;
let ledger: OpenLedger;

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  ledger = await openTestLedger(url);
});
afterAll(async () => {
  await ledger?.close();
  await client?.end();
});

const broken = async () =>
  (await auditLedger(client)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

async function newStatements(points: number): Promise<LeaseStatements> {
  const accounts = [];
  for (let n = 0; n < 2; n++) accounts.push(await seedAccount(client, ledger, BigInt(points)));
  const statements = new LeaseStatements(client, accounts);
  await statements.register();
  for (let n = 0; n < 2; n++) statements.model.credit(n, points);
  return statements;
}

const kinds = ["lease", "lease", "begin", "begin", "begin", "write down", "end", "end"] as const;
const choice = fc.nat(1000);
const kind = fc.constantFrom(...kinds, "again" as const, "return" as const);
const schedule = fc.array(fc.record({ kind, a: choice, b: choice, c: choice }), {
  minLength: 10,
  maxLength: 60,
  size: "max",
});
type Steps = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

/** Leases, and operations in them, as a process has them in its memory. */
class Run {
  readonly #leases: { id: string; account: number; free: number }[] = [];
  readonly #running: LeasedOperation[] = [];
  readonly #ended: LeasedOperation[] = [];
  constructor(readonly statements: LeaseStatements) {}

  async step({ kind: what, a, b, c }: Steps[number]): Promise<void> {
    const { statements } = this;
    const account = a % 2;
    const lease = this.#leases[b % Math.max(this.#leases.length, 1)];
    const few = this.#running.slice(0, 1 + (a % 3));
    if (what === "lease") {
      const id = crypto.randomUUID();
      const [points, expected] = await statements.lease(id, account, 20 + (c % 200));
      expect(points).toBe(expected ?? 0);
      if (points > 0) this.#leases.push({ id, account, free: points });
      expect((await statements.lease(id, account, 20 + (c % 200)))[0]).toBe(points);
    } else if (what === "begin" && lease && lease.free > 0) {
      const hold = 1 + (c % lease.free);
      lease.free -= hold;
      this.#running.push(statements.newOperation(lease.account, hold, lease.id));
    } else if (what === "write down" && few.length > 0) {
      const [answer, expected] = await statements.writeDown(few);
      expect(answer).toBe(expected);
    } else if (what === "return" && lease) {
      // Now and then while it still covers operations, which a process never does.
      if (c % 4 === 0 || !this.#running.some(({ lease: of }) => of === lease.id))
        await statements.return([lease.id]);
    } else await this.#end(what, few, b, c);
  }

  async #end(what: string, few: readonly LeasedOperation[], b: number, c: number): Promise<void> {
    const again = this.#ended[b % Math.max(this.#ended.length, 1)];
    if (what === "again" && again) {
      const [answer, expected] = await this.statements.end([{ operation: again, amount: 1 }]);
      expect(answer).toBe(expected);
    } else if (what === "end" && few.length > 0) {
      const ends = few.map((operation, n) => ({
        operation,
        amount: (b + n) % 4 === 0 ? null : (c + n) % (operation.hold + 3),
      }));
      const open = few.filter(({ id }) => this.statements.model.open.has(id));
      const [answer, expected] = await this.statements.end(ends);
      expect(answer).toBe(expected);
      for (const operation of open) {
        const [done, wanted] = await this.statements.endOpen(operation, c % (operation.hold + 3));
        expect(done).toBe(wanted);
      }
      this.#ended.push(...this.#running.splice(0, few.length));
    }
  }
}

test("every statement answers and moves points as the model does, and the audit is clean", async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => {
      const statements = await newStatements(2000);
      const run = new Run(statements);
      for (const step of steps) {
        await run.step(step);
        for (let account = 0; account < 2; account++) {
          const [stored, expected] = await statements.balances(account);
          expect(stored).toBe(expected);
        }
      }
      expect(statements.model.faults).toEqual([]);
    }),
    { numRuns: 60, endOnFailure: true },
  );
  expect(await broken()).toEqual([]);
  // Schedules that came to none of these would prove nothing.
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from operation o join settlement s on s.operation_id = o.id
      group by was_leased, outcome, reason = 'lease_lost' having count(*) > 20`,
  );
  expect(rows).toHaveLength(4);
}, 120_000);
