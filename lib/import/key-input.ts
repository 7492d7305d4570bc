/** A key of a source as one of ours, or why it cannot be one. */
import { hashKeyText, keyHint, movedKeyText } from "../accounts/key-text";
import { KEY_ADDRESSES_MAX, KEY_MODELS_MAX, NAME_LENGTH_MAX } from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { newId } from "../crypto/ids";
import { MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { addressListOf } from "../net/address-list";
import { pointsOfQuota } from "./rate";
import { isDeleted, isOn, moment, type SourceRow, text, whole } from "./sources/source";

export interface MovedKey {
  readonly id: string;
  readonly accountId: string;
  readonly foreignId: string;
  readonly name: string;
  readonly hash: string;
  readonly hint: string;
  readonly models: readonly string[];
  readonly addresses: readonly string[];
  readonly createdAt: Date;
  readonly usedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly isPaused: boolean;
  /** What it may still spend; null for no limit. */
  readonly budget: Micropoints | null;
}

interface Within {
  /** Ours by theirs. */
  readonly users: ReadonlyMap<string, string>;
  readonly models: ReadonlyMap<string, string>;
  readonly quotaPerPoint: bigint;
  remark(reason: string): void;
}

const ENABLED = "1";
/** Its quota is used up, which the budget says too. */
const EXHAUSTED = "4";

const listOf = (list: string) =>
  list
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The limits that would be lost pause the key: it must not do more here than there. */
function restrictions(row: SourceRow, { models, remark }: Within) {
  const isLimited = isOn(row, "model_limits_enabled");
  const named = listOf(isLimited ? text(row, "model_limits") : text(row, "models"));
  const known = [...new Set(named.flatMap((name) => models.get(name) ?? []))];
  if (known.length < named.length && known.length > 0)
    remark("some of the models that it may use did not move: it has the others");
  const addresses = listOf(text(row, "allow_ips") || text(row, "subnet")).map((address) =>
    address.toLowerCase(),
  );
  const badModels =
    (named.length > 0 || isLimited) && (known.length === 0 || known.length > KEY_MODELS_MAX);
  if (badModels)
    remark(`it may use no model that moved, or more than ${KEY_MODELS_MAX}: it is paused`);
  const badAddresses =
    addresses.length > KEY_ADDRESSES_MAX || typeof addressListOf(addresses) === "string";
  if (badAddresses)
    remark(
      `its addresses are not ${KEY_ADDRESSES_MAX} or fewer addresses and ranges: it is paused`,
    );
  return {
    models: badModels ? [] : known,
    addresses: badAddresses ? [] : addresses,
    isPaused: badModels || badAddresses,
  };
}

function budgetOf(row: SourceRow, quotaPerPoint: bigint): Micropoints | null {
  if (isOn(row, "unlimited_quota")) return null;
  const quota = whole(row, "remain_quota");
  const budget = pointsOfQuota(quota > 0n ? quota : 0n, quotaPerPoint);
  if (budget > MICROPOINTS_MAX) return MICROPOINTS_MAX;
  return budget;
}

/** Its end, which is -1 for none. At 0 it has expired there, too. */
function endOf(row: SourceRow): { endsAt: Date | null; hasExpired: boolean } {
  const [written, endsAt] = [text(row, "expired_time"), moment(row, "expired_time")];
  const isPast =
    endsAt === null ? /^(?:0|-(?!1$)\d+)$/.test(written) : endsAt.getTime() <= Date.now();
  return { endsAt, hasExpired: isPast };
}

/** Whether it works at its source. */
export const isKeyOn = (row: SourceRow): boolean =>
  !isDeleted(row) && !endOf(row).hasExpired && [ENABLED, EXHAUSTED].includes(text(row, "status"));

/** A text says why not. */
export function keyInput(row: SourceRow, within: Within): MovedKey | string {
  const accountId = within.users.get(text(row, "user_id"));
  const secret = movedKeyText(text(row, "key").trim());
  const { endsAt, hasExpired } = endOf(row);
  if (isDeleted(row)) return "was deleted there";
  if (accountId === undefined) return "its user did not move";
  if (secret === null) return "its text is not 16 to 128 letters and digits";
  if (hasExpired) return "has expired";
  const isDisabled = !isKeyOn(row);
  if (isDisabled) within.remark("is disabled there: it is paused");
  const group = text(row, "group");
  if (group !== "") within.remark("has a group of its own: here the group of its account applies");
  const limits = restrictions(row, within);
  const name = text(row, "name").trim();
  return {
    id: newId("apiKey"),
    accountId,
    foreignId: text(row, "id"),
    name: isShownText(name) && name !== "" ? name.slice(0, NAME_LENGTH_MAX) : "Key",
    hash: hashKeyText(secret),
    hint: keyHint(secret),
    ...limits,
    createdAt: moment(row, "created_time") ?? new Date(),
    usedAt: moment(row, "accessed_time"),
    expiresAt: endsAt,
    isPaused: isDisabled || limits.isPaused,
    budget: budgetOf(row, within.quotaPerPoint),
  };
}
