import { beforeAll, expect, test } from "vitest";
import { TestBrowser } from "@/testing/accounts/test-browser";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { signUp } from "../accounts/sign-up";
import { resumeAccount, suspendAccount } from "../commands/accounts";
import { inviteMember } from "../commands/invitations";
import { endsWithSuspension, may, type Permission, rolesOf } from "../contract/member-roles";
import type { PageEndpoint } from "../contract/page-endpoint";
import { type PageName, pageEndpoints, permissionOf } from "../contract/page-endpoints";
import { type MemberRole, memberRoles } from "../contract/states";

const browsers = new Map<MemberRole | "nobody", TestBrowser>();
let accountId = "";
let made = 0;

async function newUser(): Promise<{ userId: string; accountId: string }> {
  const email = `role${++made}@example.com`;
  const address = `2001:db8:1:${made}::1`;
  return signUp(site.deps, { email, password: "correct horse battery", address });
}

async function browserOf(userId: string): Promise<TestBrowser> {
  const browser = new TestBrowser(site.deps);
  await browser.passFirstStep(userId);
  return browser;
}

const site = await opened(startSiteProcess());
const owner = await newUser();
beforeAll(async () => {
  accountId = owner.accountId;
  browsers.set("owner", await browserOf(owner.userId));
  for (const role of memberRoles) {
    if (role === "owner") continue;
    const wanted = { accountId, role, email: null } as const;
    const { token } = await inviteMember(site.deps, owner.userId, wanted);
    const browser = await browserOf((await newUser()).userId);
    expect((await browser.call("acceptInvitation", { token })).code).toBe("done");
    browsers.set(role, browser);
  }
  browsers.set("nobody", await browserOf((await newUser()).userId));
});

const names = Object.keys(pageEndpoints) as PageName[];
const rowOf = (name: PageName): PageEndpoint => pageEndpoints[name];
/** The rows that ask for a role, and the permission. */
const asking = names.flatMap((name) => {
  const permission = permissionOf(name);
  return permission === null ? [] : [{ name, permission, row: rowOf(name) }];
});
/** What it would do to those who may is another test's. */
const ends = new Set<PageName>(["leaveAccount", "handOverAccount", "closeAccount"]);

/** By hand: what a role may, so that a slip in the table of roles is seen. */
const allowed: Readonly<Record<MemberRole, readonly Permission[]>> = {
  owner: [
    "buy",
    "changeAccount",
    "changeEveryKey",
    "makeKeys",
    "manageByApi",
    "manageMembers",
    "order",
    "own",
    "readAccount",
    "readEveryResult",
    "readKeys",
    "readPoints",
    "readUsage",
    "readWebhooks",
    "topUp",
    "work",
  ],
  admin: [
    "buy",
    "changeAccount",
    "changeEveryKey",
    "makeKeys",
    "manageByApi",
    "manageMembers",
    "order",
    "readAccount",
    "readEveryResult",
    "readKeys",
    "readPoints",
    "readUsage",
    "readWebhooks",
    "topUp",
    "work",
  ],
  developer: ["makeKeys", "order", "readAccount", "readKeys", "readUsage", "readWebhooks", "work"],
  viewer: ["readAccount", "readEveryResult", "readKeys", "readPoints", "readUsage", "readWebhooks"],
  billing: ["buy", "readAccount", "readPoints", "topUp"],
};

test("each role has its permissions, and a viewer none that writes", () => {
  for (const role of memberRoles) {
    const found = (Object.keys(rolesOf) as Permission[]).filter((each) => may(role, each)).sort();
    expect([role, found]).toEqual([role, allowed[role]]);
  }
  const written = asking.filter(
    ({ name, row, permission }) =>
      row.method !== "GET" && name !== "leaveAccount" && may("viewer", permission),
  );
  expect(written.map(({ name }) => name)).toEqual([]);
});

test("every row that asks for a role admits the roles that have it, and refuses the others", async () => {
  const faults: string[] = [];
  let asked = 0;
  for (const { name, permission } of asking) {
    for (const role of memberRoles) {
      if (ends.has(name) && may(role, permission)) continue;
      const answer = await browsers.get(role)?.call(name, {}, "none", shown(accountId));
      asked++;
      const isRefused = answer?.code === "role_not_allowed";
      if (isRefused === may(role, permission)) faults.push(`${name} as ${role}: ${answer?.code}`);
    }
  }
  expect(faults).toEqual([]);
  expect(asked).toBeGreaterThan(200);
});

test("a suspended account cannot buy, order or be closed; everything else still works", async () => {
  const reason = { accountId, reason: "Unpaid" };
  await suspendAccount(site.deps, "cli", reason);
  site.deps.sessions.forget();
  const faults: string[] = [];
  for (const { name, permission } of asking) {
    const answer = await browsers.get("owner")?.call(name, {}, "none", shown(accountId));
    const isRefused = answer?.code === "account_suspended";
    if (isRefused !== endsWithSuspension(permission)) faults.push(`${name}: ${answer?.code}`);
  }
  await resumeAccount(site.deps, "cli", { accountId });
  site.deps.sessions.forget();
  expect(faults).toEqual([]);
});

const shown = (account: string) => ({ "x-relay-account": account });

test("a member of one account is nobody in another: no row acts where its page shows an account that the session does not", async () => {
  const faults: string[] = [];
  for (const { name } of asking) {
    const answer = await browsers.get("nobody")?.call(name, {}, "none", shown(accountId));
    if (answer?.code !== "account_changed") faults.push(`${name}: ${answer?.code}`);
  }
  expect(faults).toEqual([]);
});
