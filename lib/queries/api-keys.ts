import type { z } from "zod";
import { listApiKeys, type StoredKey } from "../accounts/stored-keys";
import type { apiKey } from "../contract/api-keys";
import { budgetPeriods } from "../contract/states";
import { type KeyLimitState, keyLimitStates } from "../ledger/core/key-limits";
import { readKeyDefaults } from "../live-settings/key-defaults";
import { formatPoints, type Micropoints } from "../money/points";
import { type KeySpend, spendPerKey } from "./account-balance";
import type { QueryDeps } from "./query-deps";
import { dailySpendPerKey } from "./spend";

type Deps = Pick<QueryDeps, "pool">;
type KeyView = z.input<typeof apiKey>;

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

function statusOf({ revokedAt, expiresAt, pausedAt }: StoredKey): KeyView["status"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return "expired";
  return pausedAt === null ? "active" : "paused";
}

const pointsOrNull = (amount: Micropoints | null) =>
  amount === null ? null : formatPoints(amount);

/** The spending of each key: in its lifetime, of its budget, and on each of the last days. */
interface Spending {
  readonly sums: ReadonlyMap<string, KeySpend>;
  readonly days: ReadonlyMap<string, Micropoints[]>;
  readonly limits: readonly KeyLimitState[];
  readonly makers: ReadonlyMap<string, string>;
}

const SPEND_DAYS = 14;
const nothing = Array.from({ length: SPEND_DAYS }, () => 0n);

/** The limits that the ledger holds. */
function heldOf(states: readonly KeyLimitState[]) {
  const countOf = (kind: string, count: "max" | "held" | "left") => {
    const state = states.find((each) => each.kind === kind);
    return state === undefined ? null : Number(state[count]);
  };
  const budgets = budgetPeriods.flatMap((period) =>
    states
      .filter(({ kind }) => kind === period)
      .map(({ max, spent, held, left, zone, renewsAt }) => ({
        period,
        budget: formatPoints(max),
        spent: formatPoints(spent),
        held: formatPoints(held),
        left: formatPoints(left),
        zone: zone ?? "",
        renewsAt: (renewsAt ?? new Date(0)).toISOString(),
      })),
  );
  return {
    budgets,
    budgetZone: states.find(({ zone }) => zone !== null)?.zone ?? null,
    concurrentMax: countOf("running", "max"),
    concurrentNow: countOf("running", "held"),
    tokensPerMinute: countOf("tokens", "max"),
    tokensLeft: countOf("tokens", "left"),
  };
}

function viewOf(key: StoredKey, { sums, days, limits, makers }: Spending): KeyView {
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
    maker:
      key.createdBy === null
        ? null
        : { id: key.createdBy, email: makers.get(key.createdBy) ?? null },
    allowedAddresses: key.allowedAddresses,
    ...heldOf(limits.filter(({ apiKeyId }) => apiKeyId === key.id)),
    spent: formatPoints(spend?.spent ?? 0n),
    spent30Days: formatPoints(spend?.spent30Days ?? 0n),
    spentByDay: (days.get(key.id) ?? nothing).map(formatPoints),
  };
}

const makersQuery = `
select id, email from "user" where id in (select created_by from api_key where account_id = $1)`;

/** Needs four queries, however many keys there are. */
async function spendingOf({ pool }: Deps, accountId: string): Promise<Spending> {
  const [sums, days, limits, makers] = await Promise.all([
    spendPerKey(pool, accountId),
    dailySpendPerKey(pool, accountId, SPEND_DAYS),
    keyLimitStates(pool, accountId),
    pool.query<{ id: string; email: string }>(makersQuery, [accountId]),
  ]);
  return {
    sums: new Map(sums.map((spend) => [spend.apiKeyId, spend])),
    days,
    limits,
    makers: new Map(makers.rows.map(({ id, email }) => [id, email])),
  };
}

/** A key as its owner sees it, with its spending. */
export async function showKey(deps: Deps, key: StoredKey): Promise<KeyView> {
  return viewOf(key, await spendingOf(deps, key.accountId));
}

/** Some of the account's keys, with their spending. */
export async function keyViewsOf(
  deps: Deps,
  accountId: string,
  keys: readonly StoredKey[],
): Promise<KeyView[]> {
  const spend = await spendingOf(deps, accountId);
  return keys.map((key) => viewOf(key, spend));
}

/** The account's keys with their spending, newest first. */
export async function keyViews(
  deps: Pick<QueryDeps, "pool" | "database">,
  accountId: string,
): Promise<KeyView[]> {
  const [keys, spend] = await Promise.all([
    listApiKeys(deps.database, accountId),
    spendingOf(deps, accountId),
  ]);
  return keys.map((key) => viewOf(key, spend));
}

/** The account's keys, and the default limits of a new one. */
export async function listOwnKeys(deps: Pick<QueryDeps, "pool" | "database">, accountId: string) {
  const [keys, { requestsPerMinute, budget }] = await Promise.all([
    keyViews(deps, accountId),
    readKeyDefaults(deps.database, accountId),
  ]);
  return { keys, defaults: { requestsPerMinute, budget: pointsOrNull(budget) } };
}
