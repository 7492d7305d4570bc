/** `GET /v1/balance` and `/v1/key`: what an API key may read of its own account. */
import type pg from "pg";
import { allowedModels } from "../accounts/allowed-model";
import { heldLimitsOf, renewingBudget } from "../accounts/held-limits";
import type { Principal } from "../accounts/principal";
import { offeredModels } from "../catalog/models";
import type { Endpoints } from "../contract/endpoints";
import { isRelayError, RelayError } from "../failures/relay-error";
import { jsonAnswer, type UseCase } from "../http/serve";
import { keyLimitStates } from "../ledger/core/key-limits";
import { memberBudgetStates } from "../ledger/core/member-budgets";
import type { Ledger } from "../ledger/core/verbs";
import { spendOfKey } from "../ledger/usage/usage-sums";
import { type Micropoints, pointsNumber } from "../money/points";

export function createGetBalance(ledger: Ledger): UseCase<Endpoints["getBalance"]> {
  return async (call) => {
    const { available, held } = await ledger.balance(call.principal.accountId);
    return jsonAnswer(call, {
      available_points: pointsNumber(available),
      held_points: pointsNumber(held),
    });
  };
}

/** Rejects with `database_unavailable` where the database does not answer. */
export async function read<T>(query: Promise<T>): Promise<T> {
  return query.catch((cause: unknown) => {
    throw isRelayError(cause) ? cause : new RelayError("database_unavailable", { cause });
  });
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const points = (amount: Micropoints | null) => (amount === null ? null : pointsNumber(amount));

/**
 * The models that a key may use; none for all. Of a list without a model that can be used now, all
 * are told: an empty one would allow all.
 */
function modelsOfKey(principal: Principal): string[] {
  const { models, sees } = principal;
  if (offeredModels().every(({ id }) => sees(id))) return [...models];
  const allowed = allowedModels(principal).map(({ id }) => id);
  return allowed.length > 0 ? allowed : [...models];
}

export function createGetKey(
  pool: pg.Pool,
  callbackSecretOf: (apiKeyId: string) => string,
): UseCase<Endpoints["getKey"]> {
  return async (call) => {
    const { apiKeyId, accountId, requestsPerMinute } = call.principal;
    const [spend, limits] = await read(
      Promise.all([
        spendOfKey(pool, accountId, apiKeyId),
        keyLimitStates(pool, accountId, apiKeyId),
      ]),
    );
    if (!spend) throw new RelayError("invalid_api_key");
    const { maker } = spend;
    const budgets = maker === null ? [] : await read(memberBudgetStates(pool, accountId, maker));
    const left = spend.budget === null ? null : spend.budget - spend.spent - spend.held;
    return jsonAnswer(call, {
      id: apiKeyId,
      name: spend.name,
      hint: spend.hint,
      created_at: seconds(spend.createdAt),
      expires_at: spend.expiresAt && seconds(spend.expiresAt),
      requests_per_minute: requestsPerMinute,
      models: modelsOfKey(call.principal),
      allowed_addresses: spend.allowedAddresses,
      budget_points: points(spend.budget),
      spent_points: pointsNumber(spend.spent),
      held_points: pointsNumber(spend.held),
      remaining_points: points(left === null || left > 0n ? left : 0n),
      ...heldLimitsOf(limits),
      member_budgets: budgets.map(renewingBudget),
      callback_secret: callbackSecretOf(apiKeyId),
    });
  };
}
