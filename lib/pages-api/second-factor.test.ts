/** Attacks on the second factor, over the real sessions and a real database. */
import { expect, test } from "vitest";
import { Authenticator } from "@/testing/accounts/authenticator";
import { codeOf, FactorPeople } from "@/testing/accounts/factor-people";
import { password } from "@/testing/accounts/recovery-pages";
import { opened } from "@/testing/unit/opened";
import { replaceBrandNames } from "../contract/brand";
import { encodeToken, pendingToken, sessionCookie } from "../session/session-token";

const people = await FactorPeople.open();
const site = await opened(people.site);

test("a password alone is no session, and nothing but the second step accepts it", async () => {
  const { userId } = await people.withApp();
  const half = await people.pending(userId);
  for (const name of ["showMe", "listKeys", "listSessions", "showSecondFactor"] as const)
    expect((await half.call(name)).code).toBe("sign_in_required");
  for (const name of ["startTotp", "startPasskey", "makeRecoveryCodes", "removeTotp"] as const)
    expect((await half.call(name)).code).toBe("sign_in_required");
  const words = { currentPassword: password, newPassword: "another horse battery" };
  expect((await half.call("changePassword", words)).code).toBe("sign_in_required");
  expect((await half.call("provePassword", { password })).code).toBe("sign_in_required");
  expect((await half.call("completeWithCode", { code: "000000" })).code).toBe("wrong_credentials");
});

test("the second step begins a session under a new cookie, and its own cookie begins no other", async () => {
  const { userId, secret, codes } = await people.withApp();
  const half = await people.pending(userId);
  const stolen = people.newBrowser();
  for (const [name, value] of half.cookies) stolen.cookies.set(name, value);
  const before = half.session;
  expect((await half.call("completeWithCode", { code: codeOf(secret, 1) })).code).toBe("done");
  expect(half.session).not.toBe(before);
  expect((await half.call("showMe")).status).toBe(200);
  expect((await stolen.call("completeWithCode", { code: codes[0] })).code).toBe("sign_in_required");
  expect((await stolen.call("showMe")).code).toBe("sign_in_required");
});

test("a sign-in waits ten minutes for its second step", async () => {
  const { userId, codes } = await people.withApp();
  const half = await people.pending(userId);
  const { deps } = half;
  const { sub, sessionVersion } = pendingToken({ id: userId, sessionVersion: 2 });
  const pendingId = "pending-x";
  const at = async (until: number) => {
    const token = await encodeToken(deps, { sub, sessionVersion, pendingId, until });
    half.cookies.set(sessionCookie(deps).name, token);
    return (await half.call("completeWithCode", { code: codes[0] })).code;
  };
  const { until } = pendingToken({ id: userId, sessionVersion: 2 });
  expect(Math.abs(until - Date.now() - 10 * 60_000)).toBeLessThan(1000);
  expect(await at(Date.now() - 1)).toBe("sign_in_required");
  expect(await at(Date.now() + 60_000)).toBe("done");
});

test("by itself the rule holds for operators at a public address", async () => {
  const { userId } = await site.newUser();
  const { database, settings } = site.deps;
  const first = async (publicUrl: string) => {
    const deps = { ...site.deps, settings: { ...settings, publicUrl } };
    return people.newBrowser(deps).passFirstStep(userId);
  };
  expect(await first("https://relay.example")).toEqual({});
  await database.user.update({ where: { id: userId }, data: { isOperator: true } });
  expect(await first("https://relay.example")).toEqual({ isPending: true });
  expect(await first("http://localhost:3000")).toEqual({});
});

test("a code works once, for its own user, and not far from its time", async () => {
  const { userId, secret, used } = await people.withApp();
  const other = await people.withApp();
  const codes = [used, codeOf(other.secret, 1), codeOf(secret, 5), codeOf(secret, -5)];
  const half = await people.pending(userId);
  for (const code of codes)
    expect((await half.call("completeWithCode", { code })).code).toBe("wrong_credentials");
  const code = codeOf(secret, 1);
  const halves = await Promise.all([1, 2, 3, 4].map(() => people.pending(userId)));
  const answers = await Promise.all(halves.map((each) => each.call("completeWithCode", { code })));
  expect(answers.filter((each) => each.code === "done")).toHaveLength(1);
});

test("a recovery code works once, also when it is used twice at once; new ones end it", async () => {
  const { userId, codes, browser, email } = await people.withApp();
  const [first, second] = codes;
  const halves = await Promise.all([1, 2, 3, 4].map(() => people.pending(userId)));
  const given = { code: first?.toUpperCase().replaceAll("-", " ") };
  const answers = await Promise.all(halves.map((each) => each.call("completeWithCode", given)));
  expect(answers.filter((each) => each.code === "done")).toHaveLength(1);
  expect(site.lastMail(email).text).toContain("recovery code was used");
  const anew = await browser.call("makeRecoveryCodes");
  expect(anew.json.recoveryCodes).toHaveLength(10);
  const half = await people.pending(userId);
  expect((await half.call("completeWithCode", { code: second })).code).toBe("wrong_credentials");
  expect(JSON.stringify(await site.pages.site.dump())).not.toContain(anew.json.recoveryCodes[0]);
});

test("guessing codes is limited for the user, over all browsers, also at once", async () => {
  const { userId, secret } = await people.withApp();
  const halves = await Promise.all(Array.from({ length: 14 }, () => people.pending(userId)));
  const guess = { code: "000001" };
  const answers = await Promise.all(halves.map((each) => each.call("completeWithCode", guess)));
  expect(answers.filter(({ code }) => code === "wrong_credentials")).toHaveLength(10);
  expect(answers.filter(({ code }) => code === "sign_in_rate_limited")).toHaveLength(4);
  const half = await people.pending(userId);
  const right = await half.call("completeWithCode", { code: codeOf(secret, 1) });
  expect(right.code).toBe("sign_in_rate_limited");
});

test("the fresh proof of a user with a factor needs the password and a code, or a passkey", async () => {
  const { userId, browser, secret } = await people.withApp();
  await site.deps.database.userSession.updateMany({
    where: { userId },
    data: { provedAt: new Date(Date.now() - 16 * 60_000) },
  });
  expect((await browser.call("removeTotp")).code).toBe("proof_required");
  const words = { currentPassword: password, newPassword: "another horse battery" };
  expect((await browser.call("changePassword", words)).code).toBe("proof_required");
  expect((await browser.call("provePassword", { password })).code).toBe("wrong_credentials");
  const code = codeOf(secret, 1);
  expect((await browser.call("provePassword", { password: "x", code })).code).toBe(
    "wrong_credentials",
  );
  expect((await browser.call("removeTotp")).code).toBe("proof_required");
  expect((await browser.call("provePassword", { password, code })).code).toBe("done");
  expect((await browser.call("removeTotp")).code).toBe("done");
});

test("a change of the factors ends the other sessions, is recorded, and is told by mail", async () => {
  const { userId, email, browser, secret } = await people.withApp();
  const elsewhere = await people.pending(userId);
  await elsewhere.call("completeWithCode", { code: codeOf(secret, 1) });
  expect((await elsewhere.call("showMe")).status).toBe(200);
  const device = new Authenticator(site.deps.settings.publicUrl);
  const wanted = (await browser.call("startPasskey")).json;
  const made = await browser.call("addPasskey", device.register(wanted));
  expect(made.json).toEqual({ recoveryCodes: null });
  expect((await elsewhere.call("showMe")).code).toBe("sign_in_required");
  expect((await browser.call("showMe")).status).toBe(200);
  expect(site.lastMail(email).text).toContain("A passkey was added");
  const rows = await site.deps.database.operatorAction.findMany({
    where: { subject: userId },
    orderBy: { seq: "asc" },
  });
  expect(rows.map(({ action }) => action)).toEqual(["totp.add", "passkey.add"]);
});

test("who must have a factor sets it up after the password and before anything else", async () => {
  const { userId } = await site.newUser();
  const settings = { ...site.deps.settings, RELAY_SECOND_FACTOR: "everyone" as const };
  const browser = people.newBrowser({ ...site.deps, settings });
  expect(await browser.passFirstStep(userId)).toEqual({ isPending: true });
  expect((await browser.call("showMe")).code).toBe("sign_in_required");
  expect((await browser.call("completeWithCode", { code: "123456" })).code).toBe(
    "sign_in_required",
  );
  const { secret } = (await browser.call("startTotp")).json;
  const made = await browser.call("confirmTotp", { code: codeOf(secret) });
  expect(made.json.recoveryCodes).toHaveLength(10);
  expect((await browser.call("showMe")).status).toBe(200);
  expect((await browser.call("removeTotp")).code).toBe("second_factor_needed");
  expect((await browser.call("showSecondFactor")).json).toMatchObject({
    hasTotp: true,
    isRequired: true,
  });
});

test("a session from before the rule is not accepted without a factor", async () => {
  const { browser } = await people.signedIn();
  expect((await browser.call("showMe")).status).toBe(200);
  const settings = { ...site.deps.settings, RELAY_SECOND_FACTOR: "everyone" as const };
  const strict = people.newBrowser({ ...site.deps, settings });
  for (const [name, value] of browser.cookies) strict.cookies.set(name, value);
  expect((await strict.call("showMe")).code).toBe("sign_in_required");
});

test("deleting an account erases its factors", async () => {
  const { userId, browser, email } = await people.withApp();
  const body = { email, losesPoints: true };
  expect((await browser.call("closeAccount", body)).code).toBe("done");
  const { userTotp, recoveryCode, passkey } = site.deps.database;
  const where = { userId };
  expect(
    await Promise.all([
      userTotp.count({ where }),
      recoveryCode.count({ where }),
      passkey.count({ where }),
    ]),
  ).toEqual([0, 0, 0]);
});

test("an app that was never confirmed is no factor, and removing it ends no session", async () => {
  const { browser } = await people.signedIn();
  await browser.call("startTotp");
  expect((await browser.call("removeTotp")).code).toBe("not_found");
  expect((await browser.call("showMe")).json.user.hasSecondFactor).toBe(false);
});

test("authenticators show the installation's given name, and its host without one", async () => {
  const { browser } = await people.withApp();
  for (const [name, shown] of [
    [null, new URL(site.deps.settings.publicUrl).host],
    ["Star & bridge", "Star & bridge"],
  ] as const) {
    replaceBrandNames({ en: name, "zh-CN": null });
    const { rpName } = (await browser.call("startPasskey")).json;
    expect(rpName).toBe(shown);
  }
});
