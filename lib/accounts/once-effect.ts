/**
 * What a request with an Idempotency-Key changes is marked in the transaction of the change. So a
 * retry knows whether it took effect, whatever died in between, and no second one can.
 *
 * The mark reaches `recordAction`, which every change calls, through the asynchronous context: only
 * the path of a request with such a key sets it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Transaction } from "../db/client";
import { RelayError } from "../failures/relay-error";

interface Effect {
  readonly accountId: string;
  readonly key: string;
  /** Of this attempt. */
  readonly operationId: string;
}

const current = new AsyncLocalStorage<Effect>();

/** Runs `work`, whose changes are marked with `effect`. */
export const markingEffect = <T>(effect: Effect, work: () => Promise<T>): Promise<T> =>
  current.run(effect, work);

/**
 * Called in the transaction of a change. Throws `idempotency_in_progress` when another attempt has
 * taken the request over; then nothing of this one may be committed.
 */
export async function markEffect(transaction: Transaction | pg.ClientBase): Promise<void> {
  const effect = current.getStore();
  if (effect === undefined) return;
  const { accountId, key, operationId } = effect;
  const marked =
    "escapeLiteral" in transaction
      ? (
          await transaction.query(
            `update idempotent_request set took_effect = true
              where account_id = $1 and key = $2 and operation_id = $3`,
            [accountId, key, operationId],
          )
        ).rowCount
      : await transaction.$executeRaw`
          update idempotent_request set took_effect = true
           where account_id = ${accountId} and key = ${key} and operation_id = ${operationId}::uuid`;
  if (marked !== 1) throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 2 });
}
