/** Every verb of the ledger, prepared so that it can be run through faults. */
import type pg from "pg";
import type { OpenLedger } from "@/lib/ledger/ledger";
import type { DatabaseProxy } from "./database-proxy";
import { holdOf, releaseOf, type SeededAccount, settleOf, taskOf } from "./test-ledger";

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
  /** `isHit`: whether the fault has begun. */
  run(isHit: () => boolean): Promise<{ readonly result: string }>;
}
export interface Verb {
  readonly name: string;
  /** Its statement in a request. */
  readonly mark: string;
  /** Its caller may be refused for want of an answer; then nothing stays held. */
  readonly isHold?: true;
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

/** What a verb does to the wallet, in the batch writer as in a statement of its own. */
const shapes = {
  hold: { done: held, undone: whole },
  settlement: { done: paid, undone: held },
  release: { done: whole, undone: held },
  credit: { done: { available: 1050n, held: 0n }, undone: whole },
  refund: { done: { available: 980n, held: 0n }, undone: paid },
};
const heldByWriter = { mark: "ledger_hold", by: "writer" } as const;
const endedByWriter = { mark: "ledger_end", by: "writer" } as const;
const byStatement = (mark: string) => ({ mark, by: "statement" }) as const;
const creditIn = (scene: Scene) => creditOf(scene.account, crypto.randomUUID());

export const verbs: readonly Verb[] = [
  {
    name: "a hold",
    isHold: true,
    ...heldByWriter,
    ...shapes.hold,
    prepare: async ({ ledger, account }) => {
      const hold = holdOf(account, 100n);
      return { run: () => ledger.openHold(hold) };
    },
  },
  {
    name: "a settlement",
    ...endedByWriter,
    ...shapes.settlement,
    prepare: async (scene) => {
      const hold = await opened(scene);
      return { run: () => scene.ledger.settle(settleOf(hold, 30n)) };
    },
  },
  {
    name: "a release",
    ...endedByWriter,
    ...shapes.release,
    prepare: async (scene) => {
      const hold = await opened(scene);
      return { run: () => scene.ledger.release(releaseOf(hold)) };
    },
  },
  {
    name: "a task's hold",
    isHold: true,
    ...byStatement("ledger_open_task"),
    ...shapes.hold,
    prepare: async ({ ledger, account }) => {
      const hold = holdOf(account, 100n, { family: "video" });
      const task = taskOf();
      return { run: () => ledger.openTask(hold, task) };
    },
  },
  {
    name: "a task's settlement",
    ...byStatement("ledger_end_task"),
    ...shapes.settlement,
    prepare: async (scene) => {
      const hold = await openedTask(scene);
      const end = { mediaId: "media_1", outputTokens: 3, facts: {} };
      return { run: () => scene.ledger.settleTask(settleOf(hold, 30n), end) };
    },
  },
  {
    name: "a task's release",
    ...byStatement("ledger_end_task"),
    ...shapes.release,
    prepare: async (scene) => {
      const hold = await openedTask(scene);
      const end = { status: "failed", errorCode: "upstream_failed" } as const;
      return { run: () => scene.ledger.releaseTask(releaseOf(hold), end) };
    },
  },
  {
    name: "a credit",
    ...byStatement("ledger_credit"),
    ...shapes.credit,
    prepare: async (scene) => {
      const request = creditIn(scene);
      return { run: () => scene.ledger.credit(request) };
    },
  },
  {
    name: "a credit with its record",
    mark: "ledger_credit",
    by: "transaction",
    ...shapes.credit,
    prepare: async (scene) => {
      const request = creditIn(scene);
      const record = async (transaction: pg.ClientBase) => void (await transaction.query("select"));
      return { run: () => scene.ledger.credit(request, record) };
    },
  },
  {
    name: "a refund",
    ...byStatement("ledger_refund"),
    ...shapes.refund,
    prepare: async (scene) => {
      const hold = await opened(scene);
      const { operationId } = hold;
      await scene.direct.settle(settleOf(hold, 30n));
      const why = { ref: crypto.randomUUID(), reason: "test", actor: "system" };
      return { run: () => scene.ledger.refund({ operationId, amount: 10n, ...why }) };
    },
  },
];
