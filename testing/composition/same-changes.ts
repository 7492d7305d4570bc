/** Changes as a page, a program and the command line ask for them: one of each kind of thing. */
import { createApiKey } from "@/lib/commands/api-keys";
import { createWebhook } from "@/lib/commands/webhooks";
import type { AuditAction } from "@/lib/contract/audit-actions";
import type { PageName } from "@/lib/contract/page-endpoints";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import type { ServedComposition } from "./served-composition";

/** How a change is asked for; part of the names that must be unique. */
export type Way = "by-page" | "by-api" | "by-cli";

export interface SameChange {
  readonly action: AuditAction;
  readonly row: PageName;
  /** What it is done to; absent for a row without an id. */
  subject?(composed: ServedComposition): Promise<string>;
  body?(way: Way): object;
  /** The body of `/v1` where it has names of its own. */
  ownBody?(way: Way): object;
  /** The words of the command line, split at spaces; `ID` is the subject. */
  cli(way: Way): string;
}

const email = "a@example.com";
const ofAccount = async ({ accountId }: ServedComposition) => accountId;
const url = "https://example.com/hook";
const reason = "Contract";

async function newWebhook({ accountId }: ServedComposition): Promise<string> {
  const wanted = { accountId, url, kinds: ["balance_low"] } as const;
  return (await createWebhook(pagesDeps(), "test", wanted)).webhook.id;
}

async function newKey({ accountId }: ServedComposition): Promise<string> {
  return (await createApiKey(pagesDeps(), "test", { accountId, name: "one" })).key.id;
}

const ofOperators: readonly SameChange[] = [
  {
    action: "account.credit",
    row: "adjustPoints",
    subject: ofAccount,
    body: (way) => ({ points: "3", reason, ref: way }),
    cli: (way) => `account credit --email ${email} --points 3 --reason ${reason} --ref ${way}`,
  },
  {
    action: "account.key_limit",
    row: "changeKeyDefault",
    subject: ofAccount,
    body: () => ({ requestsPerMinute: 30 }),
    cli: () => `account limits --email ${email} --requests-per-minute 30`,
  },
  {
    action: "group.create",
    row: "createGroup",
    body: (name) => ({ name, multiplier: "0.8", models: [], modelMultipliers: [] }),
    cli: (name) => `group create --name ${name} --multiplier 0.8`,
  },
  {
    action: "key.revoke",
    row: "revokeAccountKey",
    subject: newKey,
    cli: () => "key revoke --id ID",
  },
  {
    action: "incident.open",
    row: "openIncident",
    body: () => ({
      titleEn: "Slow",
      titleZh: null,
      models: [],
      beganAt: "2026-11-01T00:00:00.000Z",
      state: "investigating",
      textEn: "Look",
      textZh: null,
    }),
    cli: () => "incident open --title-en Slow --text-en Look --began-at 2026-11-01T00:00:00Z",
  },
  {
    action: "notice.post",
    row: "postNotice",
    body: () => ({
      level: "info",
      textEn: "Hi",
      textZh: "Hao",
      startsAt: "2026-11-01T00:00:00.000Z",
      endsAt: null,
    }),
    cli: () => "notice post --text-en Hi --text-zh Hao --starts-at 2026-11-01T00:00:00Z",
  },
  {
    action: "setting.set",
    row: "setLiveSetting",
    body: () => ({ name: "welcome_points", value: "7" }),
    cli: () => "setting set --name welcome_points --value 7",
  },
  {
    action: "voucher.create",
    row: "createVouchers",
    body: (name) => ({ name, points: "5", count: 2, expiresAt: null }),
    cli: (name) => `voucher create --name ${name} --points 5 --count 2`,
  },
  {
    action: "package.create",
    row: "createPackage",
    body: (name) => ({
      name,
      note: null,
      points: "5",
      amount: 500,
      currency: "usd",
      isEnabled: true,
      position: 0,
    }),
    cli: (name) => `package create --name ${name} --points 5 --amount 500 --currency usd`,
  },
  {
    action: "invite.create",
    row: "createInvite",
    body: (note) => ({ note, points: "2", days: 3 }),
    cli: (note) => `invite create --note ${note} --points 2 --days 3`,
  },
  {
    action: "price.set",
    row: "setPrice",
    body: () => ({ model: "relay-v1", input: "5", output: "9", effectiveAt: null }),
    cli: () => "price set --model relay-v1 --input 5 --output 9",
  },
];

const ofAccounts: readonly SameChange[] = [
  {
    action: "account.name",
    row: "nameAccount",
    body: (name) => ({ name }),
    cli: (name) => `account name --account ${email} --name ${name}`,
  },
  {
    action: "account.low_balance_notice",
    row: "changeAccount",
    body: () => ({ lowBalanceNotice: "7" }),
    cli: () => `account notice --account ${email} --points 7`,
  },
  {
    action: "billing.set",
    row: "setBilling",
    body: (name) => ({ name, address: "Street", taxNumber: "" }),
    cli: (name) => `billing set --account ACCOUNT --name ${name} --address Street`,
  },
  {
    action: "webhook.create",
    row: "createWebhook",
    body: () => ({ url, kinds: ["balance_low"] }),
    cli: () => `webhook create --account ${email} --url ${url} --kinds balance_low`,
  },
  {
    action: "webhook.change",
    row: "changeWebhook",
    subject: newWebhook,
    body: () => ({ kinds: ["key_paused"] }),
    cli: () => `webhook change --account ${email} --id ID --kinds key_paused`,
  },
  {
    action: "webhook.rotate",
    row: "rotateWebhook",
    subject: newWebhook,
    cli: () => `webhook rotate --account ${email} --id ID`,
  },
  {
    action: "webhook.remove",
    row: "removeWebhook",
    subject: newWebhook,
    cli: () => `webhook remove --account ${email} --id ID`,
  },
  {
    action: "key.create",
    row: "createKey",
    body: (name) => ({ name, budget: "9", hourlySpendMax: null }),
    ownBody: (name) => ({ name, budget_points: 9, hourly_spend_points_max: null }),
    cli: (name) => `key create --email ${email} --name ${name} --budget 9`,
  },
  {
    action: "key.change",
    row: "changeKey",
    subject: newKey,
    body: () => ({ requestsPerMinute: 7 }),
    ownBody: () => ({ requests_per_minute: 7 }),
    cli: () => "key change --id ID --rpm 7",
  },
];

export const sameChanges = [...ofOperators, ...ofAccounts];
