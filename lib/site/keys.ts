import type { z } from "zod";
import { listApiKeys, type StoredKey } from "../accounts/stored-keys";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { apiKey, changeKeyRequest, createKeyRequest } from "../contract/api-keys";
import { type KeySpend, spendPerKey } from "../ledger/history";
import { dailySpendPerKey } from "../ledger/spend";
import { readKeyDefaults } from "../live-settings/key-defaults";
import { formatPoints, type Micropoints } from "../points";
import { requestedPoints } from "../requested-points";
import type { Call } from "./call";
import type { SiteParts } from "./site-parts";

type KeyView = z.input<typeof apiKey>;

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

function statusOf({ revokedAt, expiresAt, pausedAt }: StoredKey): KeyView["status"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return "expired";
  return pausedAt === null ? "active" : "paused";
}

const pointsOrNull = (amount: Micropoints | null) => (amount === null ? null : formatPoints(amount));

/** What was spent by each key: in its life, of its budget, and on each of the last days. */
interface Spending {
  readonly sums: ReadonlyMap<string, KeySpend>;
  readonly days: ReadonlyMap<string, Micropoints[]>;
}

const SPEND_DAYS = 14;
const nothing = Array.from({ length: SPEND_DAYS }, () => 0n);

function viewOf(key: StoredKey, { sums, days }: Spending): KeyView {
  const spend = sums.get(key.id);
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    status: statusOf(key),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: iso(key.lastUsedAt),
    expiresAt: iso(key.expiresAt),
    revokedAt: iso(key.revokedAt),
    requestsPerMinute: key.requestsPerMinute,
    budget: pointsOrNull(spend?.budget ?? null),
    hourlySpendMax: pointsOrNull(key.hourlySpendMax),
    pausedSpend: pointsOrNull(key.pausedSpend),
    models: key.models,
    spent: formatPoints(spend?.spent ?? 0n),
    spent30Days: formatPoints(spend?.spent30Days ?? 0n),
    spentByDay: (days.get(key.id) ?? nothing).map(formatPoints),
  };
}

/** Two queries, however many keys there are. */
async function spendingOf({ pool }: SiteParts, accountId: string): Promise<Spending> {
  const [sums, days] = await Promise.all([spendPerKey(pool, accountId), dailySpendPerKey(pool, accountId, SPEND_DAYS)]);
  return { sums: new Map(sums.map((spend) => [spend.apiKeyId, spend])), days };
}

async function showKey({ parts }: Call, key: StoredKey): Promise<KeyView> {
  return viewOf(key, await spendingOf(parts, key.accountId));
}

type GivenLimits = Omit<z.output<typeof changeKeyRequest>, "name">;

const limitsOf = ({ requestsPerMinute, budget, models, expiresAt, hourlySpendMax }: GivenLimits) => ({
  requestsPerMinute,
  models,
  budget: budget == null ? budget : requestedPoints("budget", budget),
  hourlySpendMax: hourlySpendMax == null ? hourlySpendMax : requestedPoints("hourlySpendMax", hourlySpendMax),
  expiresAt: expiresAt == null ? expiresAt : new Date(expiresAt),
});

/** The account's keys with what they spent, newest first. */
export async function keyViews(parts: SiteParts, accountId: string): Promise<KeyView[]> {
  const [keys, spend] = await Promise.all([listApiKeys(parts.database, accountId), spendingOf(parts, accountId)]);
  return keys.map((key) => viewOf(key, spend));
}

export async function listOwnKeys({ parts, user }: Call) {
  const { accountId } = user();
  const [keys, { requestsPerMinute, budget }] = await Promise.all([keyViews(parts, accountId), readKeyDefaults(parts.database, accountId)]);
  return { keys, defaults: { requestsPerMinute, budget: pointsOrNull(budget) } };
}

export async function createOwnKey(call: Call<z.output<typeof createKeyRequest>>) {
  const { parts, body } = call;
  const { accountId, userId } = call.user();
  const { key, secret } = await createApiKey(parts, userId, { ...limitsOf(body), name: body.name, accountId });
  return { key: await showKey(call, key), secret };
}

export async function changeOwnKey(call: Call<z.output<typeof changeKeyRequest>>) {
  const { parts, body, id } = call;
  const { accountId, userId } = call.user();
  const key = await changeApiKey(parts, userId, { ...limitsOf(body), name: body.name, id, accountId });
  return { key: await showKey(call, key) };
}

export async function revokeOwnKey(call: Call) {
  const { accountId, userId } = call.user();
  const key = await revokeApiKey(call.parts, userId, { id: call.id, accountId });
  return { key: await showKey(call, key) };
}

/** A paused key goes on. */
export async function resumeOwnKey(call: Call) {
  const { accountId, userId } = call.user();
  const key = await resumeApiKey(call.parts, userId, { id: call.id, accountId });
  return { key: await showKey(call, key) };
}
