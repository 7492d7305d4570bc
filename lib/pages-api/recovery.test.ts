/** Tests of the forgotten password: who gets a mail, and what its link can do, how often. */
import { expect, test } from "vitest";
import { password, RecoveryPages } from "@/testing/accounts/recovery-pages";
import { opened } from "@/testing/unit/opened";
import { suspendAccount } from "../commands/accounts";

const site = await opened(RecoveryPages.open());

const next = "another horse battery";
const reset = (token: string, newPassword = next) =>
  site.call("resetPassword", { token, newPassword });

test("known and unknown addresses get the same answer; only the known one gets a mail", async () => {
  const { email, address } = await site.newUser();
  const known = await site.call("forgotPassword", { email }, address);
  const unknown = await site.call("forgotPassword", { email: "nobody@example.com" }, address);
  expect([known, unknown]).toEqual([
    [200, "done"],
    [200, "done"],
  ]);
  expect(site.catcher.to(email)).toHaveLength(1);
  expect(site.catcher.to("nobody@example.com")).toEqual([]);
  expect(site.lastMail(email).text).toContain("https://relay.example/reset?token=");
});

test("the answer does not wait for the look-up of the address", async () => {
  const { email, address } = await site.newUser();
  let found = () => {};
  const wait = new Promise<void>((resolve) => {
    found = resolve;
  });
  const { user } = site.deps.database;
  const late = { findUnique: (input: never) => wait.then(() => user.findUnique(input)) };
  const database = { ...site.deps.database, user: { ...user, ...late } };
  const deps = { ...site.deps, database: database as never };
  const { forgotPassword } = site.pages.routesOver(() => deps);
  const request = new Request("http://localhost:3000/api/x", {
    method: "POST",
    headers: { "content-type": "application/json", "x-relay-client-address": address },
    body: JSON.stringify({ email }),
  });
  expect((await forgotPassword(request)).status).toBe(200);
  expect(site.catcher.to(email)).toEqual([]);
  found();
});

test("a link sets the password once, ends sessions and proofs, and tells the user by mail", async () => {
  const { email, userId, address } = await site.newUser();
  const start = { sessionVersion: 1, expiresAt: new Date(Date.now() + 60_000) };
  const browser = { address: null, userAgent: null };
  await site.deps.sessions.begin({ sessionId: `s-${userId}`, userId, ...start, ...browser });
  expect(await site.deps.sessions.isProved(`s-${userId}`)).toBe(true);
  const token = await site.resetToken(email.toUpperCase().toLowerCase(), address);
  expect(token).toHaveLength(43);
  expect(JSON.stringify(await site.pages.site.dump())).not.toContain(token);
  expect(await reset(token)).toEqual([200, "done"]);
  expect(await site.deps.sessions.isProved(`s-${userId}`)).toBe(false);
  const claim = { sessionId: `s-${userId}`, userId, sessionVersion: 1 };
  expect(await site.deps.sessions.find(claim)).toBeNull();
  expect(await site.signInWith(email, password)).toBe("wrong_credentials");
  expect(await site.signInWith(email, next)).toBe("in");
  expect(site.lastMail(email).subject).toContain("was changed");
  expect(await reset(token, "a third horse battery")).toEqual([403, "link_invalid"]);
  const actions = await site.deps.database.operatorAction.findMany({
    where: { subject: userId },
    orderBy: { seq: "asc" },
  });
  expect(actions.map(({ action, actor }) => [action, actor])).toEqual([
    ["password.reset_request", "system"],
    ["password.reset", userId],
  ]);
});

test("of ten uses of one link at the same time, one sets the password", async () => {
  const { email, address } = await site.newUser();
  const token = await site.resetToken(email, address);
  const words = Array.from({ length: 10 }, (_, at) => `${next} ${at}`);
  const answers = await Promise.all(words.map((word) => reset(token, word)));
  const winners = words.filter((_, at) => answers[at]?.[0] === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(([, code]) => code === "link_invalid")).toHaveLength(9);
  expect(await site.signInWith(email, winners[0] ?? "")).toBe("in");
});

test("a link is dead after a newer one, after half an hour, and after the password was changed", async () => {
  const { email, userId, address } = await site.newUser();
  const older = await site.resetToken(email, address);
  const newer = await site.resetToken(email, address);
  expect(await reset(older)).toEqual([403, "link_invalid"]);
  const expiresAt = new Date(Date.now() - 1000);
  await site.deps.database.userLink.updateMany({ where: { userId }, data: { expiresAt } });
  expect(await reset(newer)).toEqual([403, "link_invalid"]);
  const third = await site.resetToken(email, address);
  const { expiresAt: end } = await site.deps.database.userLink.findFirstOrThrow({
    where: { userId },
  });
  expect(Math.abs(end.getTime() - Date.now() - 1_800_000)).toBeLessThan(60_000);
  const change = { currentPassword: password, newPassword: "a third horse battery" };
  expect((await site.call("changePassword", change, address))[0]).toBe(200);
  expect(await reset(third)).toEqual([403, "link_invalid"]);
});

test("a link of one kind or user does nothing for another, and a wrong password of it uses nothing up", async () => {
  const [first, second] = [await site.newUser(), await site.newUser()];
  const token = await site.resetToken(first.email, first.address);
  expect(await site.call("confirmEmail", { token })).toEqual([403, "link_invalid"]);
  expect(await site.call("undoEmail", { token })).toEqual([403, "link_invalid"]);
  expect((await reset(token, "short"))[1]).toBe("invalid_value");
  expect(await reset(`${token}x`)).toEqual([403, "link_invalid"]);
  expect(await reset(token)).toEqual([200, "done"]);
  expect(await site.signInWith(second.email, password)).toBe("in");
  expect(await site.signInWith(second.email, next)).toBe("wrong_credentials");
});

test("a user without a password is told how to sign in, and gets no link", async () => {
  const { email, userId, address } = await site.newUser();
  const { database } = site.deps;
  await database.user.update({ where: { id: userId }, data: { passwordHash: null } });
  const identity = { provider: "github", providerAccountId: userId, userId };
  await database.userIdentity.create({ data: identity });
  expect(await site.resetToken(email, address)).toBe("");
  expect(site.lastMail(email).text).toContain("you sign in with GitHub at");
  expect(await database.userLink.count({ where: { userId } })).toBe(0);
});

test("the first proof of an address removes other ways to sign in, a later reset does not", async () => {
  const { email, userId, address } = await site.newUser();
  const { userIdentity } = site.deps.database;
  const identity = { provider: "github", providerAccountId: userId, userId };
  await userIdentity.create({ data: identity });
  expect(await reset(await site.resetToken(email, address))).toEqual([200, "done"]);
  expect(await userIdentity.count({ where: { userId } })).toBe(0);
  await userIdentity.create({ data: identity });
  expect(await reset(await site.resetToken(email, address))).toEqual([200, "done"]);
  expect(await userIdentity.count({ where: { userId } })).toBe(1);
});

test("a user of a suspended account can set a password, and stays suspended", async () => {
  const { email, accountId, address } = await site.newUser();
  await suspendAccount(site.deps, "cli", { accountId, reason: "Unpaid" });
  expect(await reset(await site.resetToken(email, address))).toEqual([200, "done"]);
  const account = await site.deps.database.account.findUniqueOrThrow({ where: { id: accountId } });
  expect(account.status).toBe("suspended");
});

test("five mails an hour to an address, known or not, and twenty from a network address", async () => {
  const { email } = await site.newUser();
  for (const each of [email, "stranger@example.com"]) {
    const codes = [];
    for (let asked = 0; asked < 6; asked++)
      codes.push((await site.call("forgotPassword", { email: each }, `203.0.113.${asked}`))[1]);
    expect(codes, each).toEqual([...Array(5).fill("done"), "sign_in_rate_limited"]);
  }
  const ago = (minutes: number) =>
    site.deps.pool.query(
      "update sign_in_failure set at = now() - make_interval(mins => $1) where subject = $2",
      [minutes, `mail:${email}`],
    );
  await ago(59);
  expect((await site.call("forgotPassword", { email }, "203.0.113.9"))[0]).toBe(429);
  await ago(61);
  expect((await site.call("forgotPassword", { email }, "203.0.113.9"))[0]).toBe(200);
  const statuses = [];
  for (let asked = 0; asked < 21; asked++)
    statuses.push(
      (await site.call("forgotPassword", { email: `x${asked}@example.com` }, "203.0.113.99"))[0],
    );
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

test("without a mail server the request is refused for every address", async () => {
  const { email, address } = await site.newUser();
  for (const each of [email, "nobody@example.com"])
    expect(
      (
        await site.pages.call("forgotPassword", {
          body: { email: each },
          headers: { "x-relay-client-address": address },
        })
      ).status,
    ).toBe(404);
});
