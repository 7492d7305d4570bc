import { randomFillSync, randomUUID } from "node:crypto";

const prefixes = {
  account: "acct",
  user: "user",
  apiKey: "key",
  managementKey: "mkey",
  operatorKey: "opkey",
  channel: "ch",
  request: "req",
  voucher: "vch",
  voucherBatch: "vb",
  topupPackage: "pkg",
  payment: "pay",
  cardCheckout: "card",
  invoice: "ivc",
  invite: "inv",
  invitation: "minv",
  task: "cgt",
  media: "media",
  notice: "ntc",
  incident: "inc",
  group: "grp",
  plan: "plan",
  accountPlan: "acp",
  passkey: "psk",
  webhook: "whe",
  bill: "ubill",
} as const;

export type IdKind = keyof typeof prefixes;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const letters = Buffer.from(alphabet);
const TIME_LETTERS = 10;
const RANDOM_LETTERS = 16;
/** Where the letters of an id are put together, which is cheaper than adding texts. */
const made = Buffer.allocUnsafe(TIME_LETTERS + RANDOM_LETTERS);
const pool = Buffer.allocUnsafe(8192);
let used = pool.length;

function randomBytesFromPool(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

const beginningOf = (kind: IdKind): string => `${prefixes[kind]}${kind === "task" ? "-" : "_"}`;

export const isIdOf = (kind: IdKind, text: string): boolean => text.startsWith(beginningOf(kind));

export const isOperationId = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** A new id for a process of the ledger. */
export const newNodeId = (): string => `node_${randomUUID()}`;

/**
 * A new id such as `key_01k8…`: 10 characters of milliseconds, then 80 random bits, in Crockford's
 * base 32.
 */
export function newId(kind: IdKind, now: number = Date.now()): string {
  let rest = now;
  for (let place = TIME_LETTERS - 1; place >= 0; place--) {
    made[place] = letters[rest % 32] ?? 0;
    rest = Math.floor(rest / 32);
  }
  const bytes = randomBytesFromPool(RANDOM_LETTERS);
  for (let n = 0; n < RANDOM_LETTERS; n++)
    made[TIME_LETTERS + n] = letters[(bytes[n] ?? 0) & 31] ?? 0;
  return beginningOf(kind) + made.toString("latin1");
}

/**
 * When an id of `newId` was created, in milliseconds; null for a text that is no id of this kind.
 */
export function timeOfId(kind: IdKind, id: string): number | null {
  const match = /^([a-z]+)[_-]([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/.exec(id);
  const [, prefix, time] = match ?? [];
  if (prefix !== prefixes[kind] || time === undefined) return null;
  return [...time].reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0);
}

/** A new time-ordered UUID (version 7): the id of an operation. */
export function newOperationId(now: number = Date.now()): string {
  const bytes = randomBytesFromPool(10);
  const time = now.toString(16).padStart(12, "0");
  const random = bytes.toString("hex");
  const variant = alphabet[8 + ((bytes[2] ?? 0) & 3)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8, 20)}`;
}

/**
 * An id below that of every operation opened from `time` (milliseconds) on, and above every earlier
 * one.
 */
export function firstOperationId(time: number): string {
  const text = time.toString(16).padStart(12, "0");
  return `${text.slice(0, 8)}-${text.slice(8)}-7000-8000-000000000000`;
}

/** When the id of an operation was made, in milliseconds. */
export const timeOfOperation = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
