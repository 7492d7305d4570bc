/** Commands about accounts: creation, suspension, multipliers, limits of new keys, operators. */
import { recordAction } from "../accounts/actions";
import { assertNotOwnAccount } from "../accounts/actor-rules";
import {
  type CreatedAccount,
  createAccount as createWithUser,
  type NewAccount,
} from "../accounts/create-account";
import { formatOwnMultiplier } from "../accounts/multipliers";
import { findModel } from "../catalog/models";
import type { Transaction } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { formatPoints, type Micropoints } from "../money/points";
import { noFailure } from "../plans/renewals";
import { keysOf, withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

const missing = () => new RelayError("not_found", { message: "There is no such account." });

/**
 * Creates an account with its first user. Rejects with `already_exists` when the email has a user.
 */
export function createAccount(
  { database, ledger }: Pick<CommandDeps, "database" | "ledger">,
  actor: string,
  account: Omit<NewAccount, "welcome" | "invite">,
): Promise<CreatedAccount> {
  return createWithUser(database, ledger, account, (transaction, accountId) =>
    recordAction(transaction, actor, "account.create", accountId, {
      detail: { operator: account.isOperator ?? false },
    }),
  );
}

async function assertThere(transaction: Transaction, accountId: string): Promise<void> {
  if ((await transaction.account.count({ where: { id: accountId } })) === 0) throw missing();
}

/**
 * Refuses the account's keys and playground from now on, in every process within seconds. Running
 * requests are still settled. Its users can sign in and read why. Repeating it changes nothing.
 * Rejects with `not_found`, and with `invalid_value` for the own account of who acts.
 */
export function suspendAccount(
  { database }: Deps,
  actor: string,
  input: { accountId: string; reason: string },
): Promise<void> {
  const { accountId, reason } = input;
  return inDatabaseTransaction(database, async (transaction) => {
    await assertNotOwnAccount(transaction, actor, accountId);
    const { count } = await transaction.account.updateMany({
      where: { id: accountId, status: "active" },
      data: { status: "suspended", suspendedAt: new Date(), suspendedReason: reason },
    });
    if (count === 0) return assertThere(transaction, accountId);
    const change = { before: { status: "active" }, after: { status: "suspended" } };
    await recordAction(transaction, actor, "account.suspend", accountId, {
      detail: { reason },
      ...change,
    });
  });
}

/**
 * Lifts the suspension of an account. What could not be paid of its plan meanwhile is due anew.
 * Repeating it changes nothing. Rejects with `not_found`.
 */
export function resumeAccount(
  { database }: Deps,
  actor: string,
  { accountId }: { accountId: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const where = { id: accountId, status: "suspended" };
    // The plan before its account, as all lock them.
    if ((await transaction.account.count({ where })) > 0)
      await transaction.accountPlan.updateMany({
        where: { accountId, status: { not: "ended" } },
        data: noFailure,
      });
    const { count } = await transaction.account.updateMany({
      where,
      data: { status: "active", suspendedAt: null, suspendedReason: null },
    });
    if (count === 0) return assertThere(transaction, accountId);
    const change = { before: { status: "suspended" }, after: { status: "active" } };
    await recordAction(transaction, actor, "account.resume", accountId, change);
  });
}

interface MultiplierChange {
  readonly accountId: string;
  /** Null for the account's multiplier, which applies to every model without one of its own. */
  readonly model: string | null;
  /** Null removes it: then the next one of `multiplierOf` applies. */
  readonly multiplierPpm: number | null;
  readonly reason: string | null;
}

async function storeMultiplier(
  transaction: Transaction,
  { accountId, model: named, multiplierPpm }: MultiplierChange,
): Promise<void> {
  if (named === null) {
    await transaction.account.update({ where: { id: accountId }, data: { multiplierPpm } });
  } else if (multiplierPpm === null) {
    await transaction.accountModelMultiplier.deleteMany({ where: { accountId, model: named } });
  } else {
    const model = findModel(named)?.id;
    if (model === undefined)
      throw new RelayError("model_not_found", {
        param: "model",
        message: `There is no model ${named}.`,
      });
    await transaction.accountModelMultiplier.upsert({
      where: { accountId_model: { accountId, model } },
      create: { accountId, model, multiplierPpm },
      update: { multiplierPpm },
    });
  }
}

/**
 * Sets the multiplier of an account, or of one model for the account, for requests from now on.
 * Rejects with `not_found` or `model_not_found`.
 */
export function changeMultiplier(
  { database }: Deps,
  actor: string,
  input: MultiplierChange,
): Promise<void> {
  const { accountId, model, multiplierPpm, reason } = input;
  return inDatabaseTransaction(database, async (transaction) => {
    const account = await transaction.account.findUnique({
      where: { id: accountId },
      include: { modelMultipliers: true },
    });
    if (account === null) throw missing();
    await storeMultiplier(transaction, input);
    const own = account.modelMultipliers.find((each) => each.model === model);
    const before = model === null ? account.multiplierPpm : (own?.multiplierPpm ?? null);
    await recordAction(transaction, actor, "account.multiplier", accountId, {
      detail: { ...(model === null ? {} : { model }), ...(reason === null ? {} : { reason }) },
      before: { multiplier: formatOwnMultiplier(before) },
      after: { multiplier: formatOwnMultiplier(multiplierPpm) },
    });
  });
}

/**
 * Sets the default requests per minute of the account's new keys. Null uses the installation's
 * default.
 */
export function changeKeyDefault(
  { database }: Deps,
  actor: string,
  { accountId, requestsPerMinute }: { accountId: string; requestsPerMinute: number | null },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const account = await transaction.account.findUnique({ where: { id: accountId } });
    if (account === null) throw missing();
    await transaction.account.update({
      where: { id: accountId },
      data: { keyRequestsPerMinute: requestsPerMinute },
    });
    const change = {
      before: { requestsPerMinute: account.keyRequestsPerMinute },
      after: { requestsPerMinute },
    };
    await recordAction(transaction, actor, "account.key_limit", accountId, change);
  });
}

interface AccountChange {
  readonly accountId: string;
  /** The balance below which the pages show a notice; null for never. */
  readonly lowBalanceNotice?: Micropoints | null | undefined;
  /**
   * True when retries of client libraries join the video or image order they repeat; false when
   * each is an order of its own.
   */
  readonly joinsRetries?: boolean | undefined;
  /** For how many days contents are kept; null for not at all. */
  readonly contentDays?: number | null | undefined;
  /** Whether sessions of the playground are kept. */
  readonly keepsSessions?: boolean | undefined;
}

/** The settings that are recorded by their values before and after, and under which action. */
const plainSettings = {
  contentDays: "account.content",
  keepsSessions: "account.sessions",
  joinsRetries: "account.retry_joins",
} as const;

/** Changes the given settings of an account, which its users control. */
export function changeAccount(
  { database }: Deps,
  actor: string,
  { accountId: subject, lowBalanceNotice, ...given }: AccountChange,
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.account.findUniqueOrThrow({ where: { id: subject } });
    const changed = keysOf(plainSettings).filter(
      (name) => given[name] !== undefined && given[name] !== before[name],
    );
    if (lowBalanceNotice === undefined && changed.length === 0) return;
    await transaction.account.update({
      where: { id: subject },
      data: withoutUndefined({ lowBalanceNotice, ...given }),
    });
    for (const name of changed)
      await recordAction(transaction, actor, plainSettings[name], subject, {
        before: { [name]: before[name] },
        after: { [name]: given[name] },
      });
    if (lowBalanceNotice === undefined) return;
    const limit = lowBalanceNotice === null ? null : formatPoints(lowBalanceNotice);
    const detail = { lowBalanceNotice: limit };
    await recordAction(transaction, actor, "account.low_balance_notice", subject, { detail });
  });
}

/**
 * Makes a user an operator, or revokes that. Only the command line does so. Ends the user's
 * sessions.
 */
export function setOperator(
  { database }: Deps,
  actor: string,
  { userId, isOperator }: { userId: string; isOperator: boolean },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { count } = await transaction.user.updateMany({
      where: { id: userId, isOperator: !isOperator },
      data: { isOperator, sessionVersion: { increment: 1 } },
    });
    if (count === 0) return;
    const change = { before: { operator: !isOperator }, after: { operator: isOperator } };
    await recordAction(transaction, actor, "user.operator", userId, change);
  });
}
