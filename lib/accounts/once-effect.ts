/**
 * What a request with an Idempotency-Key changes is marked in the transaction of the change. So a
 * retry knows whether it took effect, whatever died in between, and no second one can. What is shown
 * once is stored with the mark, for the retry of a request whose answer was not stored.
 *
 * The mark reaches `recordAction`, which every change calls, through the asynchronous context: only
 * the path of a request with such a key sets it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { deserialize, serialize } from "node:v8";
import type pg from "pg";
import type { Database, Transaction } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";

interface Effect {
  readonly accountId: string;
  readonly key: string;
  /** Of this attempt. */
  readonly operationId: string;
  /** What the attempt before this one made and could not show; null when there was none. */
  readonly made: Uint8Array | null;
  /** Encrypts what is stored of what was made. */
  seal(made: Uint8Array): Uint8Array<ArrayBuffer>;
}

const current = new AsyncLocalStorage<Effect>();

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

/**
 * Runs the transaction of a change that makes a secret, and returns what `make` does. A retry of a
 * request that died after the commit gets the same, and `make` does not run. A request makes one.
 */
export async function makeOnce<Made>(
  database: Database,
  make: (transaction: Transaction) => Promise<Made>,
): Promise<Made> {
  const effect = current.getStore();
  if (effect === undefined) return inDatabaseTransaction(database, make);
  if (effect.made !== null) return deserialize(effect.made);
  const { accountId, key, operationId } = effect;
  return inDatabaseTransaction(database, async (transaction) => {
    const made = await make(transaction);
    const body = effect.seal(serialize(made));
    const where = { accountId, key, operationId, tookEffect: true };
    const { count } = await transaction.idempotentRequest.updateMany({ where, data: { body } });
    if (count !== 1) throw new Error("what was made is no change of this request");
    return made;
  });
}
