import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowser } from "@/testing/accounts/test-browser";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { signUp } from "../accounts/sign-up";
import { createApiKey } from "../commands/api-keys";
import { closeAccount } from "../commands/close-account";
import { acceptInvitation, inviteMember } from "../commands/invitations";
import { createManagementKey } from "../commands/management-keys";
import { changeMemberRole, handOverAccount, removeMember } from "../commands/members";
import type { GivenRole } from "../contract/members";

let site: SiteProcess;
beforeAll(async () => {
  site = await startSiteProcess();
});
afterAll(() => site.close());

let made = 0;
interface Person {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly browser: TestBrowser;
}

/** A user with an account, signed in. */
async function person(): Promise<Person> {
  const email = `person${++made}@example.com`;
  const password = "correct horse battery";
  // Each from a network address of their own, so that sign-up does not refuse them.
  const address = `2001:db8:0:${made.toString(16)}::1`;
  const { userId, accountId } = await signUp(site.deps, { email, password, address });
  const browser = new TestBrowser(site.deps);
  await browser.passFirstStep(userId);
  return { userId, accountId, email, browser };
}

/** Another user, who joined the owner's account, and whose browser shows it. */
async function memberOf(owner: Person, role: GivenRole): Promise<Person> {
  const joined = await person();
  const { json } = await owner.browser.call("inviteMember", { role, email: null });
  const token = new URL(json.link).searchParams.get("token");
  expect((await joined.browser.call("acceptInvitation", { token })).code).toBe("done");
  return joined;
}

const shownBy = async ({ browser }: Person) => {
  const { json } = await browser.call("showMe");
  return { account: json.account.id, role: json.user.role };
};
const rolesIn = async (accountId: string) => {
  const rows = await site.deps.database.accountMember.findMany({ where: { accountId } });
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]));
};
const keyOf = async (accountId: string, maker: string) => {
  const wanted = { accountId, name: "made", budget: null };
  return (await createApiKey(site.deps, maker, wanted)).key;
};
const isRevoked = async (id: string) =>
  (await site.deps.database.apiKey.findUniqueOrThrow({ where: { id } })).revokedAt !== null;

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
  const removed = { accountId, userId: joined.userId, acting: owner.userId, keepsKeys: false };
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
  const change = { accountId, userId: joined.userId, acting: owner.userId, keepsKeys: false };
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
    await expect(pool.query(statement, named)).rejects.toThrow(/owner|own_account/);
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

test("of two who accept one invitation at once, one joins", async () => {
  const owner = await person();
  const { accountId, userId } = owner;
  const wanted = { accountId, role: "viewer", email: null, acting: userId } as const;
  for (let round = 0; round < 5; round++) {
    const { token } = await inviteMember(site.deps, userId, wanted);
    const both = [await person(), await person()];
    const results = await Promise.allSettled(
      both.map((each) => acceptInvitation(site.deps, each.userId, { token })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  }
  expect(Object.keys(await rolesIn(accountId))).toHaveLength(6);
});

test("an account is handed over while its new owner leaves, is removed, or is erased: it keeps one owner", async () => {
  for (let round = 0; round < 4; round++) {
    const owner = await person();
    const other = await memberOf(owner, "admin");
    const { accountId } = owner;
    const named = { accountId, userId: other.userId, acting: owner.userId };
    const against = [
      () => other.browser.call("leaveAccount"),
      () => removeMember(site.deps, owner.userId, { ...named, keepsKeys: false }),
      () => closeAccount(site.deps, other.userId, { accountId: other.accountId }),
      () => handOverAccount(site.deps, owner.userId, named),
    ][round];
    await Promise.allSettled([handOverAccount(site.deps, owner.userId, named), against?.()]);
    const roles = Object.values(await rolesIn(accountId));
    expect(roles.filter((role) => role === "owner")).toHaveLength(1);
  }
});

test("an invitation by mail is for that verified address alone, single use, and ends after seven days", async () => {
  const owner = await person();
  const { accountId, userId } = owner;
  const [asked, stranger] = [await person(), await person()];
  const wanted = { accountId, role: "billing", email: asked.email, acting: userId } as const;
  const { token, invitation } = await inviteMember(site.deps, userId, wanted);
  const days = (invitation.expiresAt.getTime() - Date.now()) / 86_400_000;
  expect(Math.round(days * 100) / 100).toBe(7);
  for (const { browser } of [stranger, asked])
    expect((await browser.call("acceptInvitation", { token })).code).toBe("invitation_not_yours");
  await site.deps.database.user.update({
    where: { id: asked.userId },
    data: { emailVerifiedAt: new Date() },
  });
  expect((await asked.browser.call("acceptInvitation", { token })).code).toBe("done");
  expect((await asked.browser.call("acceptInvitation", { token })).code).toBe("link_invalid");
  expect((await stranger.browser.call("acceptInvitation", { token: "x" })).code).toBe(
    "link_invalid",
  );
  const again = await inviteMember(site.deps, userId, { ...wanted, email: null });
  expect((await asked.browser.call("acceptInvitation", { token: again.token })).code).toBe(
    "already_exists",
  );
  await site.deps.database.accountInvitation.update({
    where: { id: again.invitation.id },
    data: { expiresAt: new Date() },
  });
  expect((await stranger.browser.call("acceptInvitation", { token: again.token })).code).toBe(
    "link_invalid",
  );
  const stored = JSON.stringify(await site.deps.pool.query("select * from account_invitation"));
  expect(stored).not.toContain(token);
});

test("an account has at most 20 open invitations, and a revoked one makes room but opens nothing", async () => {
  const owner = await person();
  const wanted = { role: "viewer", email: null };
  const links = [];
  for (let count = 0; count < 20; count++)
    links.push((await owner.browser.call("inviteMember", wanted)).json);
  expect((await owner.browser.call("inviteMember", wanted)).code).toBe("invalid_value");
  const { id } = links[0].invitation;
  expect((await owner.browser.call("revokeInvitation", undefined, id)).code).toBe("done");
  expect((await owner.browser.call("inviteMember", wanted)).code).toBe("done");
  const late = await person();
  const token = new URL(links[0].link).searchParams.get("token");
  expect((await late.browser.call("acceptInvitation", { token })).code).toBe("link_invalid");
  const stranger = await person();
  expect((await stranger.browser.call("revokeInvitation", undefined, id)).code).toBe("not_found");
});
