import { expect, test } from "vitest";
import {
  newMember,
  newPerson,
  type Person,
  rolesIn as rolesOf,
  shownBy,
} from "@/testing/accounts/people";
import { TestBrowser } from "@/testing/accounts/test-browser";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { closeAccount } from "../commands/close-account";
import { acceptInvitation, inviteMember } from "../commands/invitations";
import { changeMemberBudget } from "../commands/member-budget";
import { handOverAccount, removeMember } from "../commands/members";
import type { GivenRole } from "../contract/members";
import { isRelayError } from "../failures/relay-error";

const site = await opened(startSiteProcess());

const person = () => newPerson(site);
const memberOf = (owner: Person, role: GivenRole) => newMember(site, owner, role);
const rolesIn = (accountId: string) => rolesOf(site, accountId);

test("of two who accept one invitation at once, one joins", async () => {
  const owner = await person();
  const { accountId, userId } = owner;
  const wanted = { accountId, role: "viewer", email: null } as const;
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
    const named = { accountId, userId: other.userId };
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
  const wanted = { accountId, role: "billing", email: asked.email } as const;
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

test("an account is closed while its members get budgets and are removed: nobody waits for ever", async () => {
  for (let round = 0; round < 6; round++) {
    const owner = await person();
    const members = [await memberOf(owner, "developer"), await memberOf(owner, "developer")];
    const { accountId, userId: acting } = owner;
    const changes = members.flatMap(({ userId }, at) => {
      const named = { accountId, userId };
      return [
        changeMemberBudget(site.deps, acting, { ...named, budgetDay: BigInt(at + 1) }),
        removeMember(site.deps, acting, { ...named, keepsKeys: at === 0 }),
      ];
    });
    const results = await Promise.allSettled([
      ...changes,
      closeAccount(site.deps, acting, { accountId }),
    ]);
    // Refused for a reason that is told, never by a deadlock.
    for (const result of results)
      if (result.status === "rejected") expect(isRelayError(result.reason)).toBe(true);
    expect(await site.deps.database.memberBudget.count({ where: { accountId } })).toBe(0);
  }
});

test("who was invited and has an empty own account is shown the team at each sign-in, until another account is chosen", async () => {
  const owner = await person();
  const member = await memberOf(owner, "developer");
  await site.deps.database.userSession.deleteMany({ where: { userId: member.userId } });
  const signInAgain = async () => {
    const browser = new TestBrowser(site.deps);
    await browser.passFirstStep(member.userId);
    return { ...member, browser };
  };
  const again = await signInAgain();
  expect(await shownBy(again)).toEqual({ account: owner.accountId, role: "developer" });
  await again.browser.call("switchAccount", undefined, member.accountId);
  expect(await shownBy(await signInAgain())).toMatchObject({ account: member.accountId });
  const used = await person();
  await used.browser.call("createKey", { name: "own" });
  const { token } = await inviteMember(site.deps, owner.userId, {
    accountId: owner.accountId,
    role: "viewer",
    email: null,
  });
  await acceptInvitation(site.deps, used.userId, { token });
  const other = new TestBrowser(site.deps);
  await other.passFirstStep(used.userId);
  expect(await shownBy({ ...used, browser: other })).toMatchObject({ account: used.accountId });
});

test("webhooks that lead where a former administrator wished are paused, and no others", async () => {
  const owner = await person();
  const { accountId } = owner;
  const add = async ({ browser }: Person, url: string) =>
    (await browser.call("createWebhook", { url, kinds: ["balance_low"] })).json.webhook.id;
  const paused = async () =>
    (
      await site.deps.database.webhookEndpoint.findMany({
        where: { accountId, pausedAt: { not: null } },
        orderBy: { createdAt: "asc" },
      })
    ).map(({ id }) => id);
  const joined = await memberOf(owner, "admin");
  const other = await memberOf(owner, "admin");
  await add(owner, "https://a.example/");
  const theirs = await add(joined, "https://b.example/");
  const moved = await add(owner, "https://c.example/");
  await joined.browser.call("changeWebhook", { url: "https://d.example/" }, moved);
  const back = await add(joined, "https://e.example/");
  await owner.browser.call("changeWebhook", { url: "https://f.example/" }, back);
  await owner.browser.call("changeWebhook", { kinds: ["payment_paid"] }, theirs);
  const role = { role: "developer", keepsKeys: false };
  await owner.browser.call("changeMemberRole", role, other.userId);
  expect(await paused()).toEqual([]);
  await owner.browser.call("removeMember", { keepsKeys: true }, joined.userId);
  expect(await paused()).toEqual([]);
  const again = await memberOf(owner, "admin");
  const last = await add(again, "https://g.example/");
  await owner.browser.call("changeMemberRole", role, again.userId);
  expect(await paused()).toEqual([last]);
  const { actor } = await site.deps.database.operatorAction.findFirstOrThrow({
    where: { subject: last, action: "webhook.pause" },
  });
  expect(actor).toBe(owner.userId);
  await owner.browser.call("resumeWebhook", {}, last);
  const joiner = await memberOf(owner, "admin");
  await joiner.browser.call("changeWebhook", { url: "https://h.example/" }, theirs);
  await joiner.browser.call("leaveAccount");
  expect(await paused()).toEqual([theirs]);
});
