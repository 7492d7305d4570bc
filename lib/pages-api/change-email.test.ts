/** Tests of a change of address: who is told, when it takes effect, and who can undo it. */
import { expect, test } from "vitest";
import { password, RecoveryPages } from "@/testing/accounts/recovery-pages";
import { opened } from "@/testing/unit/opened";
import { signUp } from "../accounts/sign-up";

let people = 0;
const site = await opened(RecoveryPages.open());

const newAddress = () => `new${++people}@example.com`;
const emailOf = async (userId: string) =>
  (await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } })).email;

/** A user who asked for another address, and the tokens in the mails. */
async function asked() {
  const [user, to] = [await site.newUser(), newAddress()];
  expect(await site.call("requestEmail", { email: to }, user.address)).toEqual([200, "done"]);
  const confirm = site.lastMail(to).token ?? "";
  const undo = site.lastMail(user.email).token ?? "";
  return { ...user, to, confirm, undo };
}

test("the address changes when the new one is confirmed, not before, and is proved by it", async () => {
  const { userId, email, to, confirm } = await asked();
  expect(await emailOf(userId)).toBe(email);
  expect(await site.signInWith(to, password)).toBe("wrong_credentials");
  expect(await site.call("confirmEmail", { token: confirm })).toEqual([200, "done"]);
  const user = await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } });
  expect(user).toMatchObject({ email: to, emailVerifiedAt: expect.any(Date) });
  expect(await site.signInWith(to, password)).toBe("in");
  expect(await site.signInWith(email, password)).toBe("wrong_credentials");
  expect(await site.call("confirmEmail", { token: confirm })).toEqual([403, "link_invalid"]);
  const log = await site.deps.database.operatorAction.findMany({
    where: { subject: userId },
    orderBy: { seq: "asc" },
  });
  expect(log.map(({ action }) => action)).toEqual(["email.request", "email.change"]);
  expect(JSON.stringify(log.map(({ detail }) => detail))).not.toContain("@");
});

test("only the user who asked for an address can confirm it: its owner proves it for nobody else", async () => {
  const { userId, email, to, confirm: token } = await asked();
  site.pages.user = null;
  expect(await site.call("confirmEmail", { token })).toEqual([401, "sign_in_required"]);
  await site.newUser();
  expect(await site.call("confirmEmail", { token })).toEqual([403, "link_invalid"]);
  expect(await emailOf(userId)).toBe(email);
  await site.signIn(userId);
  expect(await site.call("confirmEmail", { token })).toEqual([200, "done"]);
  expect(await emailOf(userId)).toBe(to);
});

test("of ten confirmations at once, one takes effect", async () => {
  const { confirm: token } = await asked();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => site.call("confirmEmail", { token })),
  );
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
});

test("an address of somebody else gets the same answer, a mail without a link, and is never taken over", async () => {
  const [other, mine] = [await site.newUser(), await site.newUser()];
  const body = { email: other.email };
  expect(await site.call("requestEmail", body, mine.address)).toEqual([200, "done"]);
  expect(site.lastMail(other.email)).toMatchObject({ token: null });
  expect(site.lastMail(mine.email).subject).toContain("about to change");
  expect(await emailOf(mine.userId)).toBe(mine.email);
});

test("an address that somebody took before the confirmation stays theirs", async () => {
  const { userId, email, to, confirm: token } = await asked();
  await signUp(site.pages.site.deps, { email: to, password, address: "192.0.2.77" });
  expect(await site.call("confirmEmail", { token })).toEqual([403, "link_invalid"]);
  expect(await emailOf(userId)).toBe(email);
});

test("the old address can stop the change before it is confirmed", async () => {
  const { userId, email, confirm, undo } = await asked();
  expect(await site.call("undoEmail", { token: undo })).toEqual([200, "done"]);
  expect(await site.call("confirmEmail", { token: confirm })).toEqual([403, "link_invalid"]);
  expect(await emailOf(userId)).toBe(email);
});

test("the old address can take a confirmed change back: sessions end, and it gets a link for a password", async () => {
  const { userId, email, to, confirm, undo, address } = await asked();
  const start = { sessionVersion: 1, expiresAt: new Date(Date.now() + 60_000) };
  const browser = { address: null, userAgent: null };
  await site.deps.sessions.begin({ sessionId: `s-${userId}`, userId, ...start, ...browser });
  await site.call("confirmEmail", { token: confirm });
  // A thief cannot take the way back away by a further change, nor by an account of that address.
  await site.signIn(userId);
  expect(await site.call("requestEmail", { email: newAddress() }, address)).toEqual([
    409,
    "email_changed_lately",
  ]);
  await expect(
    signUp(site.pages.site.deps, { email, password: "a thief's password", address: "192.0.2.78" }),
  ).rejects.toMatchObject({ code: "wrong_credentials" });
  expect(await site.call("undoEmail", { token: undo })).toEqual([200, "done"]);
  expect(await emailOf(userId)).toBe(email);
  const claim = { sessionId: `s-${userId}`, userId, sessionVersion: 1 };
  expect(await site.deps.sessions.find(claim)).toBeNull();
  const reset = { token: site.lastMail(email).token, newPassword: "another horse battery" };
  expect(await site.call("resetPassword", reset)).toEqual([200, "done"]);
  expect(await site.signInWith(email, "another horse battery")).toBe("in");
  expect(await site.signInWith(to, password)).toBe("wrong_credentials");
  expect(await site.call("undoEmail", { token: undo })).toEqual([403, "link_invalid"]);
});

test("links of a password that were sent to the old address die with the change", async () => {
  const { email, confirm, address } = await asked();
  const token = await site.resetToken(email, address);
  await site.call("confirmEmail", { token: confirm });
  const body = { token, newPassword: "another horse battery" };
  expect(await site.call("resetPassword", body)).toEqual([403, "link_invalid"]);
});

test("five requests an hour, and none for the address in use or without a mail server", async () => {
  const { email, address } = await site.newUser();
  expect((await site.call("requestEmail", { email }, address))[1]).toBe("invalid_value");
  const codes = [];
  for (let each = 0; each < 5; each++)
    codes.push((await site.call("requestEmail", { email: newAddress() }, address))[1]);
  expect(codes).toEqual([...Array(4).fill("done"), "sign_in_rate_limited"]);
  const refused = await site.pages.call("requestEmail", { body: { email: newAddress() } });
  expect(refused.status).toBe(404);
});
