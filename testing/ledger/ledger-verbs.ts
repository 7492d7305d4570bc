/** Every verb of the ledger, prepared so that it can be run through faults. */
import type pg from "pg";
import { newId } from "@/lib/ids";
import type { OpenLedger } from "@/lib/ledger/ledger";
import type { DatabaseProxy } from "./database-proxy";
import { holdOf, releaseOf, type SeededAccount, settleOf } from "./test-ledger";

/** A ledger behind a proxy, and one with a way of its own to the same database. */
export interface Scene {
  readonly url: string;
  readonly client: pg.Client;
  readonly direct: OpenLedger;
  readonly proxy: DatabaseProxy;
  readonly ledger: OpenLedger;
  readonly account: SeededAccount;
}

interface Wallet {
  readonly available: bigint;
  readonly held: bigint;
}
export interface Prepared {
  run(): Promise<{ readonly result: string }>;
}
export interface Verb {
  readonly name: string;
  /** Its statement in a request. */
  readonly mark: string;
  prepare(scene: Scene): Promise<Prepared>;
  readonly done: Wallet;
  readonly undone: Wallet;
  /** The batch writer carries it; the others have a statement, or a transaction, of their own. */
  readonly by: "writer" | "statement" | "transaction";
}

const whole = { available: 1000n, held: 0n };
const held = { available: 900n, held: 100n };
const paid = { available: 970n, held: 0n };

const opened = async ({ direct, account }: Scene) => {
  const hold = holdOf(account, 100n);
  await direct.openHold(hold);
  return hold;
};
const taskOf = () => ({
  taskId: newId("task"),
  modelNamed: "super-relay",
  spec: {},
  imageUrls: [],
  callbackUrl: null,
  leaseOwner: "test",
  leaseSeconds: 60,
});
const openedTask = async ({ direct, account }: Scene) => {
  const hold = holdOf(account, 100n, { family: "video" });
  await direct.openTask(hold, taskOf());
  return hold;
};
export const creditOf = ({ accountId }: SeededAccount, ref: string) => ({
  accountId,
  kind: "topup" as const,
  ref,
  amount: 50n,
  reason: "test",
  actor: "system",
});

export const verbs: readonly Verb[] = [
  {
    name: "a hold",
    mark: "ledger_apply",
    by: "writer",
    prepare: async (scene) => {
      const hold = holdOf(scene.account, 100n);
      return { run: () => scene.ledger.openHold(hold) };
    },
    done: held,
    undone: whole,
  },
  {
    name: "a settlement",
    mark: "ledger_apply",
    by: "writer",
    prepare: async (scene) => {
      const hold = await opened(scene);
      return { run: () => scene.ledger.settle(settleOf(hold, 30n)) };
    },
    done: paid,
    undone: held,
  },
  {
    name: "a release",
    mark: "ledger_apply",
    by: "writer",
    prepare: async (scene) => {
      const hold = await opened(scene);
      return { run: () => scene.ledger.release(releaseOf(hold)) };
    },
    done: whole,
    undone: held,
  },
  {
    name: "a task's hold",
    mark: "ledger_open_task",
    by: "statement",
    prepare: async (scene) => {
      const hold = holdOf(scene.account, 100n, { family: "video" });
      const task = taskOf();
      return { run: () => scene.ledger.openTask(hold, task) };
    },
    done: held,
    undone: whole,
  },
  {
    name: "a task's settlement",
    mark: "ledger_end_task",
    by: "statement",
    prepare: async (scene) => {
      const hold = await openedTask(scene);
      const end = { mediaId: "media_1", outputTokens: 3, facts: {} };
      return { run: () => scene.ledger.settleTask(settleOf(hold, 30n), end) };
    },
    done: paid,
    undone: held,
  },
  {
    name: "a task's release",
    mark: "ledger_end_task",
    by: "statement",
    prepare: async (scene) => {
      const hold = await openedTask(scene);
      const end = { status: "failed", errorCode: "upstream_failed" } as const;
      return { run: () => scene.ledger.releaseTask(releaseOf(hold), end) };
    },
    done: whole,
    undone: held,
  },
  {
    name: "a credit",
    mark: "ledger_credit",
    by: "statement",
    prepare: async (scene) => {
      const request = creditOf(scene.account, crypto.randomUUID());
      return { run: () => scene.ledger.credit(request) };
    },
    done: { available: 1050n, held: 0n },
    undone: whole,
  },
  {
    name: "a credit with its record",
    mark: "ledger_credit",
    by: "transaction",
    prepare: async (scene) => {
      const request = creditOf(scene.account, crypto.randomUUID());
      const record = async (transaction: pg.ClientBase) => void (await transaction.query("select"));
      return { run: () => scene.ledger.credit(request, record) };
    },
    done: { available: 1050n, held: 0n },
    undone: whole,
  },
  {
    name: "a refund",
    mark: "ledger_refund",
    by: "statement",
    prepare: async (scene) => {
      const hold = await opened(scene);
      await scene.direct.settle(settleOf(hold, 30n));
      const ref = crypto.randomUUID();
      const request = {
        operationId: hold.operationId,
        amount: 10n,
        reason: "test",
        actor: "system",
      };
      return { run: () => scene.ledger.refund({ ...request, ref }) };
    },
    done: { available: 980n, held: 0n },
    undone: paid,
  },
];
