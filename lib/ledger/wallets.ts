/** The rare verbs: each is one short transaction of its own, and may be sent again without harm. */
import type pg from "pg";
import type { Transaction } from "../db/client";
import { isUniqueViolation, isValueRefused } from "../db/database-errors";
import { inTransaction } from "../db/transaction";
import { isRelayError, RelayError } from "../errors";
import { pause } from "../pause";
import { MICROPOINTS_MAX, type Micropoints } from "../points";
import type { Alongside, Balance, CreditEntry, CreditRequest, CreditResult, RefundEntry, RefundRequest, RefundResult } from "./verbs";

const TRIES = 3;

function assertAmount(name: string, amount: Micropoints, least: bigint): void {
  if (amount < least || amount > MICROPOINTS_MAX) {
    throw new RangeError(`${name} is ${amount}; it must be from ${least} to ${MICROPOINTS_MAX} micropoints`);
  }
}

/**
 * Runs `work` up to three times; what the database itself refuses is final, whatever else is `database_unavailable` in the end.
 * After that the database may still do it, once: its reference keeps a caller who tries again from doing it twice.
 */
async function withRetries<T>(work: (isAgain: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries > 1);
    } catch (error) {
      const isRace = isUniqueViolation(error);
      if (isRelayError(error) || (isValueRefused(error) && !isRace)) throw error;
      if (tries === TRIES) throw new RelayError("database_unavailable", { cause: error });
      await pause(isRace ? 0 : 200 * tries);
    }
  }
}

/** Sent again after a lost answer, a verb meets its own commit. */
const already = (isAgain: boolean) => (isAgain ? "done" : "already");

type Queries = Pick<pg.ClientBase, "query">;

/** Alone the verb is one statement and its own transaction. */
function withAlongside<Entry, Refusal>(
  pool: pg.Pool,
  verb: (queries: Queries) => Promise<Entry | Refusal>,
  isEntry: (result: Entry | Refusal) => result is Entry,
  alongside: Alongside<Entry> | undefined,
): Promise<Entry | Refusal> {
  if (alongside === undefined) return verb(pool);
  return inTransaction(pool, async (client) => {
    const result = await verb(client);
    if (isEntry(result)) await alongside(client, result);
    return result;
  });
}

async function creditOnce(queries: Queries, request: CreditRequest, isAgain: boolean): Promise<CreditResult> {
  const { rows } = await queries.query<{ answer: string }>("select ledger_credit($1, $2, $3, $4, $5, $6) as answer", [
    request.accountId,
    request.kind,
    request.ref,
    request.amount,
    request.reason,
    request.actor,
  ]);
  const answer = rows[0]?.answer ?? "";
  const [first = "", second = "0"] = answer.slice(1).split(":");
  switch (answer[0]) {
    case "d":
      return { result: "done", entryId: first, amount: BigInt(second) };
    case "s":
      return { result: already(isAgain), entryId: first, amount: BigInt(second) };
    case "i":
      return { result: "insufficient", available: BigInt(first) };
    case "o":
      throw new RelayError("already_exists", { internal: `${request.kind} ${request.ref} belongs to another account` });
    default:
      throw new RelayError("not_found", { internal: `account ${request.accountId} has no wallet` });
  }
}

/** Adds or takes away points once per kind and ref. Throws `already_exists` when another account had the ref, `not_found` without a wallet. */
export function credit(pool: pg.Pool, request: CreditRequest, alongside?: Alongside<CreditEntry>): Promise<CreditResult> {
  assertAmount("amount", request.amount, 1n);
  const isEntry = (result: CreditResult) => result.result !== "insufficient";
  return withRetries((isAgain) => withAlongside(pool, (queries) => creditOnce(queries, request, isAgain), isEntry, alongside));
}

async function refundOnce(queries: Queries, request: RefundRequest, isAgain: boolean): Promise<RefundResult> {
  const { rows } = await queries.query<{ answer: string }>("select ledger_refund($1, $2, $3, $4, $5) as answer", [
    request.operationId,
    request.ref,
    request.amount,
    request.reason,
    request.actor,
  ]);
  const answer = rows[0]?.answer ?? "";
  const [first = "", second = "0", accountId = ""] = answer.slice(1).split(":");
  switch (answer[0]) {
    case "d":
      return { result: "done", entryId: first, amount: BigInt(second), accountId };
    case "s":
      return { result: already(isAgain), entryId: first, amount: BigInt(second), accountId };
    case "x":
      return { result: "exceeds", left: BigInt(first) };
    case "o":
      throw new RelayError("already_exists", { internal: `refund ${request.ref} is of another charge` });
    default:
      throw new RelayError("not_found", { internal: `operation ${request.operationId} was not charged` });
  }
}

/** Gives a charge back once per ref. Throws `already_exists` when the ref refunded another charge, `not_found` where nothing was charged. */
export function refund(pool: pg.Pool, request: RefundRequest, alongside?: Alongside<RefundEntry>): Promise<RefundResult> {
  if (request.amount !== null) assertAmount("amount", request.amount, 1n);
  const isEntry = (result: RefundResult) => result.result !== "exceeds";
  return withRetries((isAgain) => withAlongside(pool, (queries) => refundOnce(queries, request, isAgain), isEntry, alongside));
}

/**
 * Brings the points of a credited payment in line with what of it was refunded and is disputed: takes what is there, gives back after
 * a dispute that was won, writes the certain rest down as a loss. Depends on what is stored alone, so it may be asked any number of times.
 */
export function reversePayment(pool: pg.Pool, paymentId: string): Promise<{ taken: Micropoints; lost: Micropoints }> {
  return withRetries(async () => {
    const { rows } = await pool.query<{ moved: string }>("select payment_reverse($1) as moved", [paymentId]);
    const [taken = "0", lost = "0"] = (rows[0]?.moved ?? "").split(":");
    return { taken: BigInt(taken), lost: BigInt(lost) };
  });
}

/** Creates the wallet of an account; a second call changes nothing. */
export function openWallet(pool: pg.Pool, accountId: string): Promise<void> {
  return withRetries(async () => {
    await pool.query("select ledger_open_wallet($1)", [accountId]);
  });
}

const setBudget = "select ledger_set_key_budget($1, $2, $3) as ok";

/**
 * Sets (micropoints) or lifts (null) what a key may spend in its life: in a transaction as it is, over a pool with retries.
 * Throws `not_found` when the account has no such key.
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

/** As `balance`, of the moment of a transaction. */
export async function balanceWithin(queries: Queries, accountId: string): Promise<Balance> {
  const { rows } = await queries.query<{ available: string; held: string }>(
    "select credits_posted - debits_posted - debits_pending as available, debits_pending as held from wallet where account_id = $1",
    [accountId],
  );
  return { available: BigInt(rows[0]?.available ?? 0), held: BigInt(rows[0]?.held ?? 0) };
}

/** What an account can spend and what its running requests hold, in micropoints; both zero without a wallet. */
export function balance(pool: pg.Pool, accountId: string): Promise<Balance> {
  return withRetries(() => balanceWithin(pool, accountId));
}
