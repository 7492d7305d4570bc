/** Tests of the language of mails: that in which the person reads the pages. */
import { expect, test } from "vitest";
import { RecoveryPages } from "@/testing/accounts/recovery-pages";
import { opened } from "@/testing/unit/opened";

const site = await opened(RecoveryPages.open());

const chinese = { cookie: "theme=dark; relay_locale=zh-CN", "accept-language": "en" };

test("the mail about a password is in the language chosen on the pages, else in the browser's", async () => {
  for (const [headers, subject] of [
    [chinese, "设置你在 relay.example 的新密码"],
    [{ "accept-language": "zh-TW,en;q=0.5" }, "设置你在 relay.example 的新密码"],
    [{ ...chinese, cookie: "relay_locale=en" }, "Set a new password at relay.example"],
    [{ cookie: "relay_locale=xx" }, "Set a new password at relay.example"],
  ] as const) {
    const { email, address } = await site.newUser();
    await site.call("forgotPassword", { email }, address, headers);
    const mail = site.lastMail(email);
    expect([mail.subject, mail.token?.length]).toEqual([subject, 43]);
    expect(mail.text).toContain("https://relay.example/reset?token=");
  }
});

test("every mail about an account is Chinese for who reads Chinese, with its link", async () => {
  const taken = await site.newUser();
  const { email, address } = await site.newUser();
  const next = `next-${email}`;
  const call = (name: Parameters<RecoveryPages["call"]>[0], body: object) =>
    site.call(name, body, address, chinese);
  await call("requestEmail", { email: next });
  await call("requestEmail", { email: taken.email });
  await call("forgotPassword", { email });
  const token = site.lastMail(email).token ?? "";
  await call("resetPassword", { token, newPassword: "another horse battery" });
  await call("closeAccount", { email, losesPoints: true });
  const mails = site.catcher.mails.filter(({ subject }) => /\p{Script=Han}/u.test(subject));
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(
    new Set([
      "你在 relay.example 的账户已重新开始",
      "你在 relay.example 的邮箱即将更换",
      "确认你在 relay.example 的邮箱",
      "你在 relay.example 的邮箱",
      "设置你在 relay.example 的新密码",
      "你在 relay.example 的密码已修改",
      "你在 relay.example 的账户已删除",
    ]),
  );
  for (const { text } of mails) {
    expect(text).not.toMatch(/\{|\}|Someone|ignore/);
    expect(text).toMatch(/\p{Script=Han}/u);
  }
});

test("a user without a password is told in Chinese how to sign in", async () => {
  const { email, userId, address } = await site.newUser();
  const { user, userIdentity } = site.deps.database;
  const emailVerifiedAt = new Date();
  await user.update({ where: { id: userId }, data: { passwordHash: null, emailVerifiedAt } });
  await userIdentity.create({ data: { provider: "github", providerAccountId: userId, userId } });
  await site.call("forgotPassword", { email }, address, chinese);
  expect(site.lastMail(email).text).toContain("用 GitHub或发到邮箱的链接登录");
});
