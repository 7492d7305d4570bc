/** The statements of points leases as the database takes them, and the model's answers to the same. */
import type pg from "pg";
import { newNodeId, newOperationId } from "@/lib/ids";
import { Database } from "./lease-model/database";
import type { SeededAccount } from "./test-ledger";

export interface LeasedOperation {
  readonly id: string;
  readonly account: number;
  readonly hold: number;
  readonly lease: string;
}

/** Sends each statement to the database and to the model, and compares what both answer. */
export class LeaseStatements {
  readonly model: Database;

  constructor(
    readonly client: pg.ClientBase,
    readonly accounts: readonly SeededAccount[],
    readonly node = newNodeId(),
  ) {
    this.model = new Database(accounts.length, null);
  }

  async register(): Promise<void> {
    const sql = "insert into node values ($1, 'store', now(), now() + interval '1 hour')";
    await this.client.query(sql, [this.node]);
    this.model.nodes.set(this.node, { isLive: true });
  }

  seeded(account: number): SeededAccount {
    const seeded = this.accounts[account];
    if (!seeded) throw new Error(`there is no account ${account}`);
    return seeded;
  }

  async #answer(sql: string, values: unknown[]): Promise<string> {
    const { rows } = await this.client.query<{ answer: string }>(`select ${sql} as answer`, values);
    return rows[0]?.answer ?? "";
  }

  /** Both answers to a lease: its points, 0 when it was refused. */
  async lease(id: string, account: number, wanted: number): Promise<[number, number | null]> {
    const answer = await this.#answer("ledger_lease($1, $2, $3, $4, $5)", [
      this.node,
      id,
      this.seeded(account).accountId,
      wanted,
      Math.ceil(wanted / 2),
    ]);
    const points = answer.startsWith("l") ? Number(answer.slice(1)) : 0;
    return [points, this.model.openLease(this.node, id, account, wanted)];
  }

  async return(ids: readonly string[]): Promise<void> {
    await this.#answer("ledger_return_leases($1, $2)", [this.node, ids]);
    for (const id of ids) this.model.closeLease(id);
  }

  newOperation(account: number, hold: number, lease: string): LeasedOperation {
    return { id: newOperationId(), account, hold, lease };
  }

  #item(i: number, { id, account, hold, lease }: LeasedOperation): object {
    const { accountId, apiKeyId, priceVersionId } = this.seeded(account);
    return {
      ...{ i, id, account: accountId, lease, held: hold, age: 20, key: apiKeyId, source: "api" },
      ...{ request: "req_test", family: "text", model: "test-model", price: priceVersionId },
      ...{ ppm: 1_000_000, quote: hold, sha: "00".repeat(32), seconds: 600 },
    };
  }

  #accountsOf = (operations: readonly LeasedOperation[]) => [
    ...new Set(operations.map(({ account }) => this.seeded(account).accountId)),
  ];

  async writeDown(operations: readonly LeasedOperation[]): Promise<[string, string]> {
    const answer = await this.#answer("ledger_write_down($1, $2, $3)", [
      this.node,
      this.#accountsOf(operations),
      JSON.stringify(operations.map((each, i) => this.#item(i, each))),
    ]);
    const expected = operations.map((each) => {
      if (this.model.settlements.has(each.id)) return "e";
      return this.model.spill(this.node, each.id, each.account, each) ? `h${each.hold}` : "l";
    });
    return [answer, expected.join(",")];
  }

  /** Settles at `amount`, or releases with null. */
  async end(
    ends: readonly { readonly operation: LeasedOperation; readonly amount: number | null }[],
  ): Promise<[string, string]> {
    const items = ends.map(({ operation, amount }, i) => ({
      ...this.#item(i, operation),
      ...{ settled: amount !== null, amount: amount ?? 0, input: amount ?? 0, output: 0 },
      ...{ usage: {}, reason: amount === null ? "upstream_failed" : null, duration: 20 },
    }));
    const answer = await this.#answer("ledger_apply_leased($1, $2, $3)", [
      this.node,
      this.#accountsOf(ends.map(({ operation }) => operation)),
      JSON.stringify(items),
    ]);
    const expected = ends.map(({ operation, amount }) => this.#expectedEnd(operation, amount));
    return [answer, expected.join(",")];
  }

  #expectedEnd(operation: LeasedOperation, amount: number | null): string {
    const { id, account } = operation;
    if (this.model.open.has(id)) return "o";
    const earlier = this.model.settlements.get(id);
    const end = this.model.end(id, account, amount, operation);
    if (earlier) {
      const letter = earlier.isSettled ? "s" : "r";
      return `${earlier.way === "open" ? letter : letter.toUpperCase()}${earlier.amount}`;
    }
    return end?.way === "lost" && amount !== null ? "l" : `d${end?.amount}`;
  }

  /** Ends an operation that stands in the queue, as any other. */
  async endOpen({ id, account, hold }: LeasedOperation, amount: number): Promise<[string, string]> {
    const { accountId } = this.seeded(account);
    const item = { i: 0, id, account: accountId, settled: true, amount, input: amount, output: 0 };
    const answer = await this.#answer("ledger_apply($1, $2, $3, null)", [
      this.node,
      [accountId],
      JSON.stringify([{ ...item, usage: {} }]),
    ]);
    const end = this.model.end(id, account, amount, null);
    return [answer, `d${Math.min(end?.amount ?? 0, hold)};`];
  }

  /** Available and held points of an account: in the database, and in the model. */
  async balances(account: number): Promise<[string, string]> {
    const { rows } = await this.client.query<{ balance: string }>(
      "select credits_posted - debits_posted - debits_pending || ':' || debits_pending as balance from wallet where account_id = $1",
      [this.seeded(account).accountId],
    );
    const { pending, leased } = this.model.wallet(account);
    return [rows[0]?.balance ?? "", `${this.model.available(account)}:${pending + leased}`];
  }
}
