import { expect, test } from "vitest";
import * as people from "@/testing/accounts/people";
import { newMember, newPerson, type Person, shownBy } from "@/testing/accounts/people";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { closeAccount } from "../commands/close-account";
import { acceptInvitation } from "../commands/invitations";
import { createManagementKey } from "../commands/management-keys";
import { changeMemberRole, removeMember } from "../commands/members";
import type { GivenRole } from "../contract/members";

const site = await opened(startSiteProcess());

const person = () => newPerson(site);
const memberOf = (owner: Person, role: GivenRole) => newMember(site, owner, role);
const rolesIn = (accountId: string) => people.rolesIn(site, accountId);
const keyOf = (accountId: string, maker: string) => people.newKeyOf(site, accountId, maker);
const isRevoked = (id: string) => people.isRevoked(site, id);

test("every new user owns an account, also one that a process of the release before inserted", async () => {
  const { userId, accountId } = await person();
  expect(await rolesIn(accountId)).toEqual({ [userId]: "owner" });
  await site.deps.pool.query("insert into account (id) values ('acct_old')");
  await site.deps.pool.query(
    `insert into "user" (id, account_id, email) values ('user_old', 'acct_old', 'old@example.com')`,
  );
  expect(await rolesIn("acct_old")).toEqual({ user_old: "owner" });
});

test("who accepts an invitation works in the account with its role, and can switch back", async () => {
  const owner = await person();
  const joined = await memberOf(owner, "developer");
  expect(await shownBy(joined)).toEqual({ account: owner.accountId, role: "developer" });
  const { json } = await joined.browser.call("listOwnAccounts");
  expect(json.accounts).toMatchObject([
    { id: joined.accountId, role: "owner", isShown: false, name: joined.email },
    { id: owner.accountId, role: "developer", isShown: true, name: owner.email },
  ]);
  await joined.browser.call("switchAccount", undefined, joined.accountId);
  expect(await shownBy(joined)).toEqual({ account: joined.accountId, role: "owner" });
  expect((await joined.browser.call("switchAccount", undefined, "acct_none")).code).toBe(
    "not_found",
  );
});

test("a session cannot show an account of which its user is no member, and one user's session is not another's", async () => {
  const [owner, stranger] = [await person(), await person()];
  expect((await stranger.browser.call("switchAccount", undefined, owner.accountId)).code).toBe(
    "not_found",
  );
  // Whatever a session says, the membership decides.
  await site.deps.database.userSession.updateMany({
    where: { userId: stranger.userId },
    data: { accountId: owner.accountId },
  });
  site.deps.sessions.forget();
  expect(await shownBy(stranger)).toEqual({ account: stranger.accountId, role: "owner" });
  const joined = await memberOf(owner, "admin");
  const { id } = await site.deps.database.userSession.findFirstOrThrow({
    where: { userId: owner.userId },
  });
  const isShown = await site.deps.sessions.show({
    sessionId: id,
    userId: joined.userId,
    accountId: owner.accountId,
  });
  expect(isShown).toBe(false);
});

test("a member who is removed is refused at once, also by a process that has just read the session", async () => {
  const owner = await person();
  const joined = await memberOf(owner, "developer");
  expect(await shownBy(joined)).toMatchObject({ account: owner.accountId });
  // In another process: this one is not told.
  const { accountId } = owner;
  const removed = { accountId, userId: joined.userId, keepsKeys: false };
  await removeMember(site.deps, owner.userId, removed);
  const shows = { "x-relay-account": accountId };
  const write = await joined.browser.call("createKey", { name: "late" }, undefined, shows);
  expect(write.code).toBe("account_changed");
  expect(await site.deps.database.apiKey.count({ where: { accountId } })).toBe(0);
  expect(await shownBy(joined)).toEqual({ account: joined.accountId, role: "owner" });
});

test("a change of role counts for the next write, and revokes keys that the new role could not make", async () => {
  const owner = await person();
  const joined = await memberOf(owner, "admin");
  const { accountId } = owner;
  const [mine, theirs] = [
    await keyOf(accountId, joined.userId),
    await keyOf(accountId, owner.userId),
  ];
  const scopes = ["keys:write"] as const;
  const manager = await createManagementKey(site.deps, joined.userId, {
    accountId,
    name: "m",
    scopes,
  });
  const byProgram = await keyOf(accountId, manager.key.id);
  expect(byProgram.createdBy).toBe(joined.userId);
  const { json } = await joined.browser.call("inviteMember", { role: "admin", email: null });
  const change = { accountId, userId: joined.userId, keepsKeys: false };
  await changeMemberRole(site.deps, owner.userId, { ...change, role: "developer" });
  expect(await isRevoked(mine.id)).toBe(false);
  // Power that a developer could not give.
  const kept = await site.deps.database.managementKey.findUniqueOrThrow({
    where: { id: manager.key.id },
  });
  expect(kept.revokedAt).not.toBeNull();
  const token = new URL(json.link).searchParams.get("token") ?? "";
  const late = await person();
  await expect(acceptInvitation(site.deps, late.userId, { token })).rejects.toMatchObject({
    code: "link_invalid",
  });
  expect((await joined.browser.call("removeMember", { keepsKeys: true }, owner.userId)).code).toBe(
    "role_not_allowed",
  );
  await changeMemberRole(site.deps, owner.userId, { ...change, role: "viewer" });
  expect([
    await isRevoked(mine.id),
    await isRevoked(byProgram.id),
    await isRevoked(theirs.id),
  ]).toEqual([true, true, false]);
  expect((await joined.browser.call("createKey", { name: "late" })).code).toBe("role_not_allowed");
});

test("who is removed or leaves takes the keys along that they made, unless they are to stay", async () => {
  const owner = await person();
  const { accountId } = owner;
  for (const [how, isGone] of [
    ["removed", true],
    ["kept", false],
    ["left", true],
  ] as const) {
    const joined = await memberOf(owner, "developer");
    const key = await keyOf(accountId, joined.userId);
    const answer =
      how === "left"
        ? await joined.browser.call("leaveAccount")
        : await owner.browser.call("removeMember", { keepsKeys: how === "kept" }, joined.userId);
    expect([how, answer.code, await isRevoked(key.id)]).toEqual([how, "done", isGone]);
    expect(await rolesIn(accountId)).toEqual({ [owner.userId]: "owner" });
    expect(await shownBy(joined)).toEqual({ account: joined.accountId, role: "owner" });
  }
});

test("a developer changes the own keys and no others", async () => {
  const owner = await person();
  const joined = await memberOf(owner, "developer");
  const theirs = await keyOf(owner.accountId, owner.userId);
  const { json } = await joined.browser.call("createKey", { name: "mine" });
  expect(json.key.maker).toEqual({ id: joined.userId, email: joined.email });
  for (const row of ["changeKey", "revokeKey", "resumeKey"] as const) {
    const body = row === "changeKey" ? { name: "other" } : undefined;
    expect((await joined.browser.call(row, body, theirs.id)).code).toBe("role_not_allowed");
    expect((await joined.browser.call(row, body, "key_none")).code).toBe("not_found");
    expect((await joined.browser.call(row, body, json.key.id)).code).toBe("done");
  }
  expect(await isRevoked(theirs.id)).toBe(false);
});

test("the owner cannot be removed, demoted, or leave; only the owner hands the account over", async () => {
  const owner = await person();
  const admin = await memberOf(owner, "admin");
  const other = await memberOf(owner, "viewer");
  const role = { role: "viewer", keepsKeys: true };
  for (const [browser, row, body, id] of [
    [admin.browser, "removeMember", { keepsKeys: true }, owner.userId],
    [admin.browser, "changeMemberRole", role, owner.userId],
    [owner.browser, "changeMemberRole", role, owner.userId],
    [owner.browser, "leaveAccount", undefined, undefined],
  ] as const)
    expect((await browser.call(row, body, id)).code).toBe("invalid_value");
  expect((await admin.browser.call("handOverAccount", undefined, admin.userId)).code).toBe(
    "role_not_allowed",
  );
  expect(
    (await admin.browser.call("changeMemberRole", { ...role, role: "owner" }, admin.userId)).code,
  ).toBe("invalid_value");
  expect((await owner.browser.call("handOverAccount", undefined, other.userId)).code).toBe("done");
  expect(await rolesIn(owner.accountId)).toEqual({
    [owner.userId]: "admin",
    [admin.userId]: "admin",
    [other.userId]: "owner",
  });
});

test("after handing over, the earlier owner works on as an administrator, and has an account of their own", async () => {
  const owner = await person();
  const other = await memberOf(owner, "admin");
  await owner.browser.call("handOverAccount", undefined, other.userId);
  expect(await shownBy(owner)).toEqual({ account: owner.accountId, role: "admin" });
  const user = await site.deps.database.user.findUniqueOrThrow({ where: { id: owner.userId } });
  expect(user.accountId).not.toBe(owner.accountId);
  expect(await rolesIn(user.accountId)).toEqual({ [owner.userId]: "owner" });
  expect((await site.deps.ledger.balance(user.accountId)).available).toBe(0n);
  // Closing it erases nobody who has moved.
  await closeAccount(site.deps, other.userId, { accountId: owner.accountId });
  site.deps.sessions.forget();
  expect(await shownBy(owner)).toEqual({ account: user.accountId, role: "owner" });
  expect(await rolesIn(owner.accountId)).toEqual({});
});

test("who owns a second account cannot be erased with the first", async () => {
  const owner = await person();
  const other = await memberOf(owner, "admin");
  await owner.browser.call("handOverAccount", undefined, other.userId);
  await expect(
    closeAccount(site.deps, other.userId, { accountId: other.accountId }),
  ).rejects.toMatchObject({ code: "owns_other_account" });
  const key = await keyOf(owner.accountId, owner.userId);
  const { accountId } = await site.deps.database.user.findUniqueOrThrow({
    where: { id: owner.userId },
  });
  await closeAccount(site.deps, owner.userId, { accountId });
  expect(await isRevoked(key.id)).toBe(true);
});

test("the database keeps one owner for each account that is not closed", async () => {
  const owner = await person();
  const other = await memberOf(owner, "admin");
  const { pool } = site.deps;
  const named = [owner.accountId, owner.userId];
  const where = "where account_id = $1 and user_id = $2";
  for (const statement of [
    `delete from account_member ${where}`,
    `update account_member set role = 'admin' ${where}`,
  ])
    await expect(pool.query(statement, named)).rejects.toThrow(/no owner|not be a member/);
  await expect(
    pool.query(`update account_member set role = 'owner' ${where}`, [
      owner.accountId,
      other.userId,
    ]),
  ).rejects.toThrow("account_member_one_owner");
  await expect(
    pool.query(`delete from account_member ${where}`, [other.accountId, other.userId]),
  ).rejects.toThrow();
});

test("who manages members sets a budget; each member sees the own one, and only they see all", async () => {
  const owner = await person();
  const [one, two] = [await memberOf(owner, "developer"), await memberOf(owner, "admin")];
  const body = { budgetDay: "12.5", budgetMonth: "100", budgetZone: "Asia/Shanghai" };
  expect((await one.browser.call("setMemberBudget", body, one.userId)).code).toBe(
    "role_not_allowed",
  );
  const stranger = await person();
  expect((await stranger.browser.call("setMemberBudget", body, one.userId)).code).toBe("not_found");
  expect((await two.browser.call("setMemberBudget", body, one.userId)).code).toBe("done");
  const budgets = async ({ browser }: Person, of: Person) => {
    const { json } = await browser.call("listMembers");
    const rows: { id: string; budgets: { period: string; left: string }[]; budgetZone: string }[] =
      json.members;
    const found = rows.find(({ id }) => id === of.userId);
    return [found?.budgetZone, found?.budgets.map(({ period, left }) => `${period} ${left}`)];
  };
  const all = ["Asia/Shanghai", ["day 12.500000", "month 100.000000"]];
  expect([await budgets(owner, one), await budgets(one, one)]).toEqual([all, all]);
  await owner.browser.call("setMemberBudget", { budgetWeek: "7" }, two.userId);
  expect(await budgets(one, two)).toEqual([null, []]);
  const wrong = { budgetZone: "IST" };
  expect((await owner.browser.call("setMemberBudget", wrong, one.userId)).code).toBe(
    "invalid_value",
  );
  await owner.browser.call("setMemberBudget", { budgetDay: null, budgetMonth: null }, one.userId);
  expect(await budgets(one, one)).toEqual([null, []]);
});
