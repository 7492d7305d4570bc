/** Attacks on the second factor, over the real sessions and a real database. */
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Authenticator } from "@/testing/accounts/authenticator";
import { password, RecoveryPages } from "@/testing/accounts/recovery-pages";
import { TestBrowser } from "@/testing/accounts/test-browser";
import type { PagesDeps } from "./pages-deps";

let site: RecoveryPages;
beforeAll(async () => {
  site = await RecoveryPages.open();
});
afterAll(() => site.close());

const ORIGIN = "https://relay.example";
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

let addresses = 0;
const newBrowser = (deps: PagesDeps = site.deps) =>
  new TestBrowser(deps, `203.0.113.${(++addresses % 250) + 1}`);

async function signedIn() {
  const { userId, email } = await site.newUser();
  const browser = newBrowser();
  await browser.passFirstStep(userId);
  return { userId, email, browser };
}

/** A user with an authenticator app. The app's current code is used up. */
async function withApp() {
  const user = await signedIn();
  const { secret } = (await user.browser.call("startTotp")).json;
  const used = codeOf(secret);
  const made = await user.browser.call("confirmTotp", { code: used });
  expect(made.json.recoveryCodes).toHaveLength(10);
  return { ...user, used, secret: String(secret), codes: made.json.recoveryCodes as string[] };
}

async function withPasskey() {
  const user = await signedIn();
  const device = new Authenticator(ORIGIN);
  const wanted = (await user.browser.call("startPasskey")).json;
  const made = await user.browser.call("addPasskey", device.register(wanted));
  expect(made.code).toBe("done");
  return { ...user, device };
}

async function pending(userId: string) {
  const browser = newBrowser();
  expect(await browser.passFirstStep(userId)).toEqual({ isPending: true });
  return browser;
}

test("a password alone is no session, and nothing but the second step accepts it", async () => {
  const { userId } = await withApp();
  const half = await pending(userId);
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
  const { userId, secret, codes } = await withApp();
  const half = await pending(userId);
  const stolen = newBrowser();
  for (const [name, value] of half.cookies) stolen.cookies.set(name, value);
  const before = half.session;
  expect((await half.call("completeWithCode", { code: codeOf(secret, 1) })).code).toBe("done");
  expect(half.session).not.toBe(before);
  expect((await half.call("showMe")).status).toBe(200);
  expect((await stolen.call("completeWithCode", { code: codes[0] })).code).toBe("sign_in_required");
  expect((await stolen.call("showMe")).code).toBe("sign_in_required");
});

test("a code works once, for its own user, and not far from its time", async () => {
  const { userId, secret, used } = await withApp();
  const other = await withApp();
  const codes = [used, codeOf(other.secret, 1), codeOf(secret, 5), codeOf(secret, -5)];
  const half = await pending(userId);
  for (const code of codes)
    expect((await half.call("completeWithCode", { code })).code).toBe("wrong_credentials");
  const code = codeOf(secret, 1);
  const halves = await Promise.all([1, 2, 3, 4].map(() => pending(userId)));
  const answers = await Promise.all(halves.map((each) => each.call("completeWithCode", { code })));
  expect(answers.filter((each) => each.code === "done")).toHaveLength(1);
});

test("a recovery code works once, also when it is used twice at once; new ones end it", async () => {
  const { userId, codes, browser, email } = await withApp();
  const [first, second] = codes;
  const halves = await Promise.all([1, 2, 3, 4].map(() => pending(userId)));
  const given = { code: first?.toUpperCase().replaceAll("-", " ") };
  const answers = await Promise.all(halves.map((each) => each.call("completeWithCode", given)));
  expect(answers.filter((each) => each.code === "done")).toHaveLength(1);
  expect(site.lastMail(email).text).toContain("recovery code was used");
  const anew = await browser.call("makeRecoveryCodes");
  expect(anew.json.recoveryCodes).toHaveLength(10);
  const half = await pending(userId);
  expect((await half.call("completeWithCode", { code: second })).code).toBe("wrong_credentials");
  expect(JSON.stringify(await site.pages.site.dump())).not.toContain(anew.json.recoveryCodes[0]);
});

test("guessing codes is limited for the user, over all browsers", async () => {
  const { userId, secret } = await withApp();
  const halves = await Promise.all(Array.from({ length: 11 }, () => pending(userId)));
  const answers: string[] = [];
  for (const half of halves)
    answers.push((await half.call("completeWithCode", { code: "123456" })).code);
  expect(answers.filter((code) => code === "wrong_credentials")).toHaveLength(10);
  const half = await pending(userId);
  const right = await half.call("completeWithCode", { code: codeOf(secret, 1) });
  expect(right.code).toBe("sign_in_rate_limited");
});

test("a new password and a reset by mail do not replace the second factor", async () => {
  const { userId, email, secret, browser } = await withApp();
  const token = await site.resetToken(email);
  expect(
    (await browser.call("resetPassword", { token, newPassword: "another horse battery" })).code,
  ).toBe("done");
  expect((await browser.call("showMe")).code).toBe("sign_in_required");
  const half = await pending(userId);
  expect((await half.call("showMe")).code).toBe("sign_in_required");
  expect((await half.call("completeWithCode", { code: codeOf(secret, 1) })).code).toBe("done");
});

test("the fresh proof of a user with a factor needs the password and a code, or a passkey", async () => {
  const { userId, browser, secret } = await withApp();
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
  const { userId, email, browser, secret } = await withApp();
  const elsewhere = await pending(userId);
  await elsewhere.call("completeWithCode", { code: codeOf(secret, 1) });
  expect((await elsewhere.call("showMe")).status).toBe(200);
  const device = new Authenticator(ORIGIN);
  const wanted = (await browser.call("startPasskey")).json;
  const made = await browser.call("addPasskey", device.register(wanted));
  expect(made.json).toEqual({ recoveryCodes: null });
  expect((await elsewhere.call("showMe")).code).toBe("sign_in_required");
  expect((await browser.call("showMe")).status).toBe(200);
  expect(site.lastMail(email).text).toContain("A passkey was added");
  const rows = await site.deps.database.operatorAction.findMany({ where: { subject: userId } });
  expect(rows.map(({ action }) => action)).toEqual(["totp.add", "passkey.add"]);
});

test("who must have a factor sets it up after the password and before anything else", async () => {
  const { userId } = await site.newUser();
  const settings = { ...site.deps.settings, RELAY_SECOND_FACTOR: "everyone" as const };
  const browser = newBrowser({ ...site.deps, settings });
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
  const { browser } = await signedIn();
  expect((await browser.call("showMe")).status).toBe(200);
  const settings = { ...site.deps.settings, RELAY_SECOND_FACTOR: "everyone" as const };
  const strict = newBrowser({ ...site.deps, settings });
  for (const [name, value] of browser.cookies) strict.cookies.set(name, value);
  expect((await strict.call("showMe")).code).toBe("sign_in_required");
});

test("a passkey alone signs in; its challenge works once and in the browser that asked", async () => {
  const { userId, device } = await withPasskey();
  const browser = newBrowser();
  const wanted = (await browser.call("startPasskeySignIn")).json;
  expect(wanted.passkeys).toEqual([]);
  const body = device.sign(wanted);
  const foreign = newBrowser();
  await foreign.call("startPasskeySignIn");
  expect((await foreign.call("signInWithPasskey", body)).code).toBe("passkey_refused");
  expect((await newBrowser().call("signInWithPasskey", body)).code).toBe("passkey_refused");
  const challenge = new Map(browser.cookies);
  expect((await browser.call("signInWithPasskey", body)).code).toBe("done");
  expect((await browser.call("showMe")).json.user.id).toBe(userId);
  const again = newBrowser();
  for (const [name, value] of challenge) again.cookies.set(name, value);
  expect((await again.call("signInWithPasskey", device.sign(wanted))).code).toBe("passkey_refused");
});

test.each([
  ["another origin", { origin: "https://relay.example.evil.example" }],
  ["another relying party", { rpId: "evil.example" }],
  ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["no verification of the user", { isVerified: false }],
  ["a counter that went back", { counter: 1 }],
])("a passkey's answer with %s is refused, and an honest one accepted", async (_, lie) => {
  const { device } = await withPasskey();
  const browser = newBrowser();
  const first = (await browser.call("startPasskeySignIn")).json;
  expect((await browser.call("signInWithPasskey", device.sign(first))).code).toBe("done");
  const next = newBrowser();
  const wanted = (await next.call("startPasskeySignIn")).json;
  expect((await next.call("signInWithPasskey", device.sign(wanted, lie))).code).toBe(
    "passkey_refused",
  );
  const right = device.sign(wanted, { counter: 9 });
  expect((await next.call("signInWithPasskey", right)).code).toBe("done");
});

test("another user's passkey completes no sign-in, proves nothing, and is not removed", async () => {
  const mine = await withPasskey();
  const other = await withPasskey();
  const half = await pending(mine.userId);
  const step = (await half.call("startPasskeySignIn")).json;
  expect((await half.call("signInWithPasskey", other.device.sign(step))).code).toBe(
    "passkey_refused",
  );
  const proof = (await mine.browser.call("startPasskeyProof")).json;
  const foreign = other.device.sign(proof);
  expect((await mine.browser.call("proveWithPasskey", foreign)).code).toBe("passkey_refused");
  const { passkeys } = (await other.browser.call("showSecondFactor")).json;
  const id = String(passkeys[0].id);
  expect((await mine.browser.call("removePasskey", undefined, id)).code).toBe("not_found");
  expect((await mine.browser.call("renamePasskey", { name: "x" }, id)).code).toBe("not_found");
  const again = (await mine.browser.call("startPasskey")).json;
  expect((await mine.browser.call("addPasskey", other.device.register(again))).code).toBe(
    "passkey_refused",
  );
  const own = (await half.call("startPasskeySignIn")).json;
  expect((await half.call("signInWithPasskey", mine.device.sign(own))).code).toBe("done");
});

test("a challenge for a proof signs nobody in, and the reverse", async () => {
  const { browser, device } = await withPasskey();
  const proof = (await browser.call("startPasskeyProof")).json;
  expect((await browser.call("signInWithPasskey", device.sign(proof))).code).toBe(
    "passkey_refused",
  );
  const signIn = (await browser.call("startPasskeySignIn")).json;
  expect((await browser.call("proveWithPasskey", device.sign(signIn))).code).toBe(
    "passkey_refused",
  );
  const again = (await browser.call("startPasskeyProof")).json;
  expect((await browser.call("proveWithPasskey", device.sign(again))).code).toBe("done");
});

test("deleting an account erases its factors", async () => {
  const { userId, browser, email } = await withApp();
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
  const { browser } = await signedIn();
  await browser.call("startTotp");
  expect((await browser.call("removeTotp")).code).toBe("not_found");
  expect((await browser.call("showMe")).json.user.hasSecondFactor).toBe(false);
});
