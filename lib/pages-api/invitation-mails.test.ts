/** Invitations over a real SMTP connection: who gets one, in which language, and what its link does. */
import { expect, test } from "vitest";
import { RecoveryPages } from "@/testing/accounts/recovery-pages";
import { opened } from "@/testing/unit/opened";

const site = await opened(RecoveryPages.open());

const invite = (email: string, language: Record<string, string> = {}) =>
  site.call("inviteMember", { role: "viewer", email }, undefined, language);

test("an invitation is mailed to its address, and its link works once, for that address alone", async () => {
  const invited = await site.newUser();
  const stranger = await site.newUser();
  const owner = await site.newUser();
  expect(await invite(invited.email.toUpperCase())).toEqual([201, "done"]);
  const mail = site.lastMail(invited.email);
  expect(mail.subject).toBe(`${owner.email} invites you to an account at relay.example`);
  expect(mail.text).toContain("https://relay.example/invitation?token=");
  expect(mail.text).toContain("valid for 7 days");
  expect(site.catcher.to(invited.email)).toHaveLength(1);
  const token = mail.token ?? "";
  // Only the hash is kept.
  expect(JSON.stringify(await site.pages.site.dump())).not.toContain(token);
  await site.signIn(stranger.userId);
  expect((await site.call("acceptInvitation", { token }))[1]).toBe("invitation_not_yours");
  await site.signIn(invited.userId);
  expect((await site.call("acceptInvitation", { token }))[1]).toBe("invitation_not_yours");
  // Proved, as by a sign-in with a link.
  await site.deps.database.user.update({
    where: { id: invited.userId },
    data: { emailVerifiedAt: new Date() },
  });
  expect(await site.call("acceptInvitation", { token })).toEqual([200, "done"]);
  expect((await site.call("acceptInvitation", { token }))[1]).toBe("link_invalid");
  const where = { accountId: owner.accountId, userId: invited.userId };
  expect(await site.deps.database.accountMember.findMany({ where })).toMatchObject([
    { role: "viewer" },
  ]);
});

test("the mail is in the language of whoever invites, and nobody's mailbox is filled", async () => {
  await site.newUser();
  const email = "new@example.org";
  await invite(email, { cookie: "relay_locale=zh-CN" });
  expect(site.lastMail(email).subject).toMatch(/邀请/);
  let last = "done";
  for (let at = 0; at < 30 && last === "done"; at++) [, last] = await invite(email);
  expect(last).not.toBe("done");
  expect(site.catcher.to(email).length).toBeLessThan(15);
});

test("invitations of strangers use up nothing of what their addressee may ask for", async () => {
  const { email } = await site.newUser();
  await site.newUser();
  const codeOf = async (to: string) =>
    (await site.call("inviteMember", { role: "viewer", email: to }, "192.0.2.77"))[1];
  for (let at = 0; at < 5; at++) expect(await codeOf(email)).toBe("done");
  // Under whichever of its addresses.
  for (const to of [email, email.replace("@", "+another@")])
    expect(await codeOf(to)).toBe("sign_in_rate_limited");
  const asked = await site.call("forgotPassword", { email }, "192.0.2.78");
  expect(asked).toEqual([200, "done"]);
});
