/** Each link of a mail or a webhook leads to a page on which what it promises is found. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import english from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";
import { notificationKinds } from "../contract/states";
import { newId } from "../crypto/ids";
import { pathOf } from "../notifications/notification-paths";

const project = resolve(import.meta.dirname, "../..");
const groups = ["(auth)", "(dashboard)", "(operator)", "(site)"];

function pageOf(path: string): string {
  const file = `${path.replace(/^\/tasks\/.+/, "/tasks/[id]")}/page.tsx`;
  const found = groups.map((group) => join(project, "app", group, file)).find(existsSync);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found;
}

/** The sources that a page is made of. */
function partsOf(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/"((?:@\/|\.\.?\/)[^"\n]+)"/g)) {
    const base = name.startsWith("@/")
      ? join(project, name.slice(2))
      : resolve(dirname(file), name);
    const part = `${base}.tsx`;
    if (existsSync(part) && !seen.has(part)) partsOf(part, seen);
  }
  return seen;
}
const expectOn = (part: string, path: string) =>
  expect([...partsOf(pageOf(path))], `${part} on ${path}`).toContain(
    join(project, "components", `${part}.tsx`),
  );

/** What a mail sends its reader to, in the order of its links. */
const inMails: Readonly<Record<string, readonly string[]>> = {
  noPassword: ["auth/login-form"],
  passwordChanged: ["api-keys/keys-card", "settings/identity-list", "auth/forgot-form"],
  taken: ["auth/login-form"],
  signInUnverified: ["auth/login-form"],
  factorChanged: ["settings/identity-list", "auth/forgot-form"],
  renewed: ["api-keys/keys-card", "settings/settings-view"],
};

const linksIn = (text: string) =>
  [...text.matchAll(/\{origin\}(\/[\w/-]+)(?:#([\w-]+))?/g)].map(([, path = "", anchor]) => ({
    path,
    anchor,
  }));

test.each(Object.entries({ english, chinese }))("in mails, %s", (_, { mails, told }) => {
  expect(linksIn(told.foot)).toEqual([{ path: "/notifications", anchor: undefined }]);
  expectOn("notifications/choices-card", "/notifications");
  const found: Record<string, readonly string[]> = {};
  for (const [name, mail] of Object.entries(mails)) {
    const links = typeof mail === "object" && "text" in mail ? linksIn(mail.text) : [];
    if (links.length === 0) continue;
    found[name] = inMails[name] ?? [];
    expect(links.length, name).toBe(found[name].length);
    for (const [place, { path, anchor }] of links.entries()) {
      expectOn(found[name][place] ?? "", path);
      if (anchor === undefined) continue;
      const sources = [...partsOf(pageOf(path))].map((file) => readFileSync(file, "utf8"));
      expect(sources.some((source) => source.includes(`id="${anchor}"`))).toBe(true);
    }
  }
  expect(found).toEqual(inMails);
});

/** Where something can be done about what happened. */
const ofKinds: Readonly<Record<(typeof notificationKinds)[number], string>> = {
  balance_low: "points/topup-card",
  key_budget: "api-keys/keys-card",
  member_budget: "members/budget-dialog",
  own_budget: "members/member-row",
  tag_budget: "members/tag-budgets-card",
  key_paused: "api-keys/keys-card",
  key_expiring: "api-keys/keys-card",
  points_ending: "points/balance-card",
  payment_paid: "points/payments-card",
  payment_failed: "points/payments-card",
  topup_paused: "points/auto-topup-card",
  plan_unpaid: "points/plan-card",
  task_finished: "tasks/task-page",
  device_new: "settings/session-list",
  price_change: "pricing/price-table",
  webhook_paused: "notifications/webhooks-card",
  channel_down: "operator/channels/channels-view",
  channel_back: "operator/channels/channels-view",
  credential_refused: "operator/channels/channels-view",
  upstream_balance: "operator/channels/channels-view",
  upstream_low: "operator/channels/channels-view",
  upstream_refilled: "operator/channels/channels-view",
  audit_failed: "operator/overview/overview-view",
  spool_used: "operator/overview/overview-view",
};

test.each(notificationKinds)("of what happened: %s", (kind) => {
  const finished = { task: newId("task"), model: "super-relay", status: "succeeded" };
  expectOn(ofKinds[kind], pathOf(kind, finished));
});
