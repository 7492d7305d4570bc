/**
 * The rare verbs: credits, refunds, wallets and budgets. Each is one short transaction and may
 * safely be sent again.
 */
import type pg from "pg";
import type { Transaction } from "../../db/client";
import { inTransaction } from "../../db/transaction";
import { RelayError } from "../../failures/relay-error";
import { MICROPOINTS_MAX, type Micropoints } from "../../money/points";
import type {
  Balance,
  BeforeCommit,
  CreditEntry,
  CreditRequest,
  CreditResult,
  RefundEntry,
  RefundRequest,
  RefundResult,
} from "./verbs";
import { withRetries } from "./with-retries";

function assertAmount(name: string, amount: Micropoints, least: bigint): void {
  if (amount < least || amount > MICROPOINTS_MAX) {
    throw new RangeError(
      `${name} is ${amount}; it must be from ${least} to ${MICROPOINTS_MAX} micropoints`,
    );
  }
}

/** After a lost answer, what was done before may be the caller's own commit. */
const already = (mayBeDone: boolean) => (mayBeDone ? "done" : "already");

type Queries = Pick<pg.ClientBase, "query">;

/** Without `beforeCommit` the verb is a single statement, and that is its transaction. */
function withBeforeCommit<Entry, Refusal>(
  pool: pg.Pool,
  verb: (queries: Queries) => Promise<Entry | Refusal>,
  isEntry: (result: Entry | Refusal) => result is Entry,
  beforeCommit: BeforeCommit<Entry> | undefined,
): Promise<Entry | Refusal> {
  if (beforeCommit === undefined) return verb(pool);
  return inTransaction(pool, async (client) => {
    const result = await verb(client);
    if (isEntry(result)) await beforeCommit(client, result);
    return result;
  });
}

async function creditOnce(
  queries: Queries,
  request: CreditRequest,
  mayBeDone: boolean,
): Promise<CreditResult> {
  const { rows } = await queries.query<{ answer: string }>(
    "select ledger_credit($1, $2, $3, $4, $5, $6) as answer",
    [request.accountId, request.kind, request.ref, request.amount, request.reason, request.actor],
  );
  const answer = rows[0]?.answer ?? "";
  const [first = "", second = "0"] = answer.slice(1).split(":");
  switch (answer[0]) {
    case "d":
      return { result: "done", entryId: first, amount: BigInt(second) };
    case "s":
      return { result: already(mayBeDone), entryId: first, amount: BigInt(second) };
    case "i":
      return { result: "insufficient", available: BigInt(first) };
    case "o":
      throw new RelayError("already_exists", {
        internal: `${request.kind} ${request.ref} belongs to another account`,
      });
    default:
      throw new RelayError("not_found", { internal: `account ${request.accountId} has no wallet` });
  }
}

/**
 * Credits or debits points, once per kind and ref. Throws `already_exists` when another account had
 * the ref, `not_found` without a wallet.
 */
export function credit(
  pool: pg.Pool,
  request: CreditRequest,
  beforeCommit?: BeforeCommit<CreditEntry>,
): Promise<CreditResult> {
  assertAmount("amount", request.amount, 1n);
  const isEntry = (result: CreditResult) => result.result !== "insufficient";
  return withRetries((mayBeDone) =>
    withBeforeCommit(
      pool,
      (queries) => creditOnce(queries, request, mayBeDone),
      isEntry,
      beforeCommit,
    ),
  );
}

async function refundOnce(
  queries: Queries,
  request: RefundRequest,
  mayBeDone: boolean,
): Promise<RefundResult> {
  const { rows } = await queries.query<{ answer: string }>(
    "select ledger_refund($1, $2, $3, $4, $5) as answer",
    [request.operationId, request.ref, request.amount, request.reason, request.actor],
  );
  const answer = rows[0]?.answer ?? "";
  const [first = "", second = "0", accountId = ""] = answer.slice(1).split(":");
  switch (answer[0]) {
    case "d":
      return { result: "done", entryId: first, amount: BigInt(second), accountId };
    case "s":
      return { result: already(mayBeDone), entryId: first, amount: BigInt(second), accountId };
    case "x":
      return { result: "exceeds", left: BigInt(first) };
    case "o":
      throw new RelayError("already_exists", {
        internal: `refund ${request.ref} is of another charge`,
      });
    default:
      throw new RelayError("not_found", {
        internal: `operation ${request.operationId} was not charged`,
      });
  }
}

/**
 * Refunds a charge, once per ref. Throws `already_exists` when the ref refunded another charge,
 * `not_found` where nothing was charged.
 */
export function refund(
  pool: pg.Pool,
  request: RefundRequest,
  beforeCommit?: BeforeCommit<RefundEntry>,
): Promise<RefundResult> {
  if (request.amount !== null) assertAmount("amount", request.amount, 1n);
  const isEntry = (result: RefundResult) => result.result !== "exceeds";
  return withRetries((mayBeDone) =>
    withBeforeCommit(
      pool,
      (queries) => refundOnce(queries, request, mayBeDone),
      isEntry,
      beforeCommit,
    ),
  );
}

/**
 * Brings a credited payment in line with its refunds and disputes: takes back the points that are
 * still there, returns them after a dispute that was won, and records a rest that cannot be
 * recovered as a loss. It computes from stored facts only, so it may be called any number of times.
 * In a transaction it runs as it is; on a pool it retries.
 */
export function reversePayment(
  place: pg.Pool | pg.ClientBase,
  paymentId: string,
): Promise<{ taken: Micropoints; lost: Micropoints }> {
  const once = async () => {
    const { rows } = await place.query<{ moved: string }>("select payment_reverse($1) as moved", [
      paymentId,
    ]);
    const [taken = "0", lost = "0"] = (rows[0]?.moved ?? "").split(":");
    return { taken: BigInt(taken), lost: BigInt(lost) };
  };
  return "totalCount" in place ? withRetries(once) : once();
}

/** Creates the wallet of an account. A second call changes nothing. */
export function openWallet(pool: pg.Pool, accountId: string): Promise<void> {
  return withRetries(async () => {
    await pool.query("select ledger_open_wallet($1)", [accountId]);
  });
}

const setBudget = "select ledger_set_key_budget($1, $2, $3) as ok";

/**
 * Sets (micropoints) or removes (null) the lifetime budget of a key. In a transaction it runs as it
 * is; on a pool it retries. Throws `not_found` when the account has no such key.
 */
export async function setKeyBudget(
  place: pg.Pool | Transaction,
  apiKeyId: string,
  accountId: string,
  budget: Micropoints | null,
): Promise<void> {
  if (budget !== null) assertAmount("budget", budget, 0n);
  const values = [apiKeyId, accountId, budget];
  const rows =
    "totalCount" in place
      ? await withRetries(async () => (await place.query<{ ok: boolean }>(setBudget, values)).rows)
      : await place.$queryRawUnsafe<{ ok: boolean }[]>(setBudget, ...values);
  if (!rows[0]?.ok) throw new RelayError("not_found");
}

/** As `balance`, read within a transaction. */
export async function balanceWithin(queries: Queries, accountId: string): Promise<Balance> {
  const { rows } = await queries.query<{ available: string; held: string }>(
    "select credits_posted - debits_posted - debits_pending as available, debits_pending as held from wallet where account_id = $1",
    [accountId],
  );
  return { available: BigInt(rows[0]?.available ?? 0), held: BigInt(rows[0]?.held ?? 0) };
}

/**
 * What an account can spend, and what its running requests hold, in micropoints. Both are zero
 * without a wallet.
 */
export function balance(pool: pg.Pool, accountId: string): Promise<Balance> {
  return withRetries(() => balanceWithin(pool, accountId));
}
