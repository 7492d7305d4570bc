/** A key in the form of the API, and the fields of a body in the form of the commands. */
import type { z } from "zod";
import { heldLimitsOf } from "../accounts/held-limits";
import type { apiKey } from "../contract/api-keys";
import type { ChangeManagedKey, ManagedKeyView } from "../contract/managed-key";
import type { KeyLimitState } from "../ledger/core/key-limits";
import type { Micropoints } from "../money/points";
import { optionalPoints } from "../money/requested-points";

const seconds = (moment: string | null) =>
  moment === null ? null : Math.floor(Date.parse(moment) / 1000);
const points = (text: string | null) => (text === null ? null : Number(text));

export function managedKeyOf(
  key: z.input<typeof apiKey>,
  limits: readonly KeyLimitState[],
): ManagedKeyView {
  return {
    id: key.id,
    object: "api_key",
    name: key.name,
    hint: key.hint,
    status: key.status,
    created_at: seconds(key.createdAt) ?? 0,
    last_used_at: seconds(key.lastUsedAt),
    expires_at: seconds(key.expiresAt),
    revoked_at: seconds(key.revokedAt),
    requests_per_minute: key.requestsPerMinute,
    models: key.models,
    allowed_addresses: key.allowedAddresses,
    budget_points: points(key.budget),
    hourly_spend_points_max: points(key.hourlySpendMax),
    paused_spend_points: points(key.pausedSpend),
    ...heldLimitsOf(limits.filter(({ apiKeyId }) => apiKeyId === key.id)),
    spent_points: Number(key.spent),
    spent_30_days_points: Number(key.spent30Days),
  };
}

type Given<Value> = Value | null | undefined;

export const amountOf = (param: string, given: Given<number>): Given<Micropoints> =>
  optionalPoints(param, given == null ? given : String(given));

/** Throws `invalid_value` for an amount with more than six decimals. */
export function limitsOf(body: Omit<ChangeManagedKey, "name" | "paused">) {
  const { requests_per_minute: requestsPerMinute, models, expires_at: expiresAt } = body;
  return {
    requestsPerMinute,
    models,
    allowedAddresses: body.allowed_addresses,
    budget: amountOf("budget_points", body.budget_points),
    budgetDay: amountOf("day_budget_points", body.day_budget_points),
    budgetWeek: amountOf("week_budget_points", body.week_budget_points),
    budgetMonth: amountOf("month_budget_points", body.month_budget_points),
    budgetZone: body.budget_zone,
    concurrentMax: body.concurrent_requests_max,
    tokensPerMinute: body.tokens_per_minute,
    hourlySpendMax: amountOf("hourly_spend_points_max", body.hourly_spend_points_max),
    expiresAt: expiresAt == null ? expiresAt : new Date(expiresAt * 1000),
  };
}
