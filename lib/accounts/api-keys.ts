import type pg from "pg";
import { findModel } from "../catalog/models";
import { KEYS_PER_ACCOUNT_MAX, REQUESTS_PER_MINUTE_OPERATOR_MAX } from "../contract/limits";
import type { Database } from "../db/client";
import { isCountLimit } from "../db/database-errors";
import type { ApiKey } from "../db/generated/client";
import { RelayError } from "../errors";
import { newId } from "../ids";
import type { Ledger } from "../ledger/verbs";
import { readKeyDefaults } from "../live-settings/key-defaults";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../points";
import { recordAction } from "./actions";
import { hashKeyText, keyHint, makeKeyText } from "./key-text";
import { restartSpendWatch } from "./spend-watch";

/** A key without its hash: what may leave this folder. */
export type StoredKey = Omit<ApiKey, "keyHash">;

export interface KeyLimits {
  readonly requestsPerMinute?: number;
  /** Points the key may spend in its life; null: no limit of its own. */
  readonly budget?: Micropoints | null;
  /** Any names of catalogue models; empty: all. */
  readonly models?: readonly string[];
  readonly expiresAt?: Date | null;
  /** Points within an hour above which the key is paused; null: never. */
  readonly hourlySpendMax?: Micropoints | null;
}

/** What the log of actions keeps of a key. */
const said = ({ name, hint, requestsPerMinute, models, expiresAt, hourlySpendMax }: StoredKey) => ({
  name,
  hint,
  requestsPerMinute,
  models,
  expiresAt: expiresAt?.toISOString() ?? null,
  hourlySpendMax: hourlySpendMax === null ? null : formatPoints(hourlySpendMax),
});

const shown = { keyHash: true } as const;

function refusedByCount(error: unknown): never {
  if (!isCountLimit(error)) throw error;
  throw new RelayError("invalid_value", { message: `An account has at most ${KEYS_PER_ACCOUNT_MAX} keys in use. Revoke one first.` });
}

function cleanModels(names: readonly string[]): string[] {
  return [
    ...new Set(
      names.map((name) => {
        const model = findModel(name);
        if (model === undefined) throw new RelayError("invalid_value", { param: "models", message: `There is no model ${name}.` });
        return model.id;
      }),
    ),
  ];
}

function cleanLimits({ requestsPerMinute, models, expiresAt, hourlySpendMax }: KeyLimits) {
  if (
    requestsPerMinute !== undefined &&
    !(Number.isInteger(requestsPerMinute) && requestsPerMinute >= 1 && requestsPerMinute <= REQUESTS_PER_MINUTE_OPERATOR_MAX)
  ) {
    throw new RelayError("invalid_value", {
      param: "requestsPerMinute",
      message: `Requests per minute is a whole number from 1 to ${REQUESTS_PER_MINUTE_OPERATOR_MAX.toLocaleString("en")}.`,
    });
  }
  if (expiresAt != null && !(expiresAt.getTime() > Date.now())) {
    throw new RelayError("invalid_value", { param: "expiresAt", message: "The key must expire at a moment to come." });
  }
  if (hourlySpendMax != null && !(hourlySpendMax >= 1n && hourlySpendMax <= MICROPOINTS_MAX)) {
    throw new RelayError("invalid_value", { param: "hourlySpendMax", message: "The limit per hour is a number of points above zero." });
  }
  return { requestsPerMinute, expiresAt, hourlySpendMax, ...(models === undefined ? {} : { models: cleanModels(models) }) };
}

/** Makes a key, with the operators' limits where none are given; `secret` is known only now. A key whose budget could not be set does not come to be. */
export async function createApiKey(
  database: Database,
  ledger: Ledger,
  request: KeyLimits & { accountId: string; name: string; actor: string },
): Promise<{ key: StoredKey; secret: string }> {
  const limits = cleanLimits(request);
  const secret = makeKeyText();
  const id = newId("apiKey");
  const keyHash = new Uint8Array(Buffer.from(hashKeyText(secret), "base64"));
  // Revoked until its budget stands, so that no request can pass before.
  const defaults = await readKeyDefaults(database, request.accountId);
  const budget = request.budget === undefined ? defaults.budget : request.budget;
  const isBounded = budget !== null;
  const createdAt = new Date();
  const data = {
    ...limits,
    requestsPerMinute: limits.requestsPerMinute ?? defaults.requestsPerMinute,
    id,
    accountId: request.accountId,
    name: request.name,
    keyHash,
    hint: keyHint(secret),
    createdAt,
    revokedAt: isBounded ? createdAt : null,
  };
  const key = await database.apiKey.create({ data, omit: shown }).catch(refusedByCount);
  // Its watch begins with nothing spent.
  if (key.hourlySpendMax !== null) await database.apiKeySpendMark.create({ data: { apiKeyId: id, day: key.createdAt, dayAmount: 0n } });
  await recordAction(database, {
    actor: request.actor,
    action: "key.create",
    subject: id,
    detail: { account: key.accountId },
    after: said(key),
  });
  if (!isBounded) return { key, secret };
  await ledger.setKeyBudget(id, request.accountId, budget);
  return { key: await database.apiKey.update({ where: { id }, data: { revokedAt: null }, omit: shown }).catch(refusedByCount), secret };
}

/** The account's keys, newest first. */
export function listApiKeys(database: Database, accountId: string): Promise<StoredKey[]> {
  return database.apiKey.findMany({ where: { accountId }, orderBy: { createdAt: "desc" }, take: 500, omit: shown });
}

const missing = () => new RelayError("not_found", { message: "There is no such key." });

/** Changes what is given of a key in use. Rejects with `not_found` for another account's key as for none. */
export async function changeApiKey(
  database: Database,
  ledger: Ledger,
  request: KeyLimits & { id: string; accountId: string; name?: string; actor: string },
): Promise<StoredKey> {
  const { id, accountId, name, budget } = request;
  const where = { id, accountId };
  const before = await database.apiKey.findFirst({ where, omit: shown });
  if (before === null) throw missing();
  const limits = cleanLimits(request);
  if (budget !== undefined) await ledger.setKeyBudget(id, accountId, budget);
  const [key] = await database.apiKey.updateManyAndReturn({ where, data: { ...limits, name }, omit: shown });
  if (key === undefined) throw missing();
  const detail = { account: accountId, ...(budget === undefined ? {} : { budget: budget === null ? null : formatPoints(budget) }) };
  await recordAction(database, { actor: request.actor, action: "key.change", subject: id, detail, before: said(before), after: said(key) });
  return key;
}

/** Lets a paused key go on: what it spent so far no longer counts. Again changes nothing. Rejects with `not_found`. */
export async function resumeApiKey(
  { database, pool }: { database: Database; pool: pg.Pool },
  request: { id: string; accountId: string | null; actor: string },
): Promise<StoredKey> {
  const where = { id: request.id, ...(request.accountId === null ? {} : { accountId: request.accountId }) };
  if ((await database.apiKey.count({ where })) === 0) throw missing();
  await restartSpendWatch(pool, request.id);
  const { count } = await database.apiKey.updateMany({
    where: { ...where, pausedAt: { not: null } },
    data: { pausedAt: null, pausedSpend: null },
  });
  const key = await database.apiKey.findUniqueOrThrow({ where: { id: request.id }, omit: shown });
  if (count > 0)
    await recordAction(database, { actor: request.actor, action: "key.resume", subject: key.id, detail: { account: key.accountId } });
  return key;
}

/** Revokes a key for good; again changes nothing. `accountId` null: whoever's it is, for operators. Rejects with `not_found`. */
export async function revokeApiKey(
  database: Database,
  request: { id: string; accountId: string | null; actor: string },
): Promise<StoredKey> {
  const where = { id: request.id, ...(request.accountId === null ? {} : { accountId: request.accountId }) };
  const { count } = await database.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: new Date() } });
  const key = await database.apiKey.findFirst({ where, omit: shown });
  if (key === null) throw missing();
  if (count > 0) {
    await recordAction(database, { actor: request.actor, action: "key.revoke", subject: key.id, detail: { account: key.accountId } });
  }
  return key;
}
