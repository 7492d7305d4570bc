import { hash } from "@node-rs/argon2";
import { hash as bcrypt } from "bcryptjs";
import { expect, test } from "vitest";
import { ledgerWith, startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createAccount } from "../accounts/create-account";
import { signUp } from "../accounts/sign-up";
import { changePassword, signInWithPassword } from "./sign-in";

const site = await opened(startSiteProcess());

const password = "correct horse battery";
const pointsOf = async (accountId: string) => (await site.deps.ledger.balance(accountId)).available;

test("sign-up creates an account with welcome points, and sign-in ignores the case of the email", async () => {
  const { accountId, userId } = await signUp(site.deps, { email: "Ada@Example.com", password });
  expect(await pointsOf(accountId)).toBe(1_000_000_000n);
  expect(await signInWithPassword(site.deps, { email: "ADA@example.com", password })).toMatchObject(
    {
      userId,
      accountId,
      isOperator: false,
    },
  );
});

test("of ten concurrent sign-ups with one email exactly one creates an account, with one welcome grant", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => signUp(site.deps, { email: "race@example.com", password })),
  );
  const done = results.filter((result) => result.status === "fulfilled");
  // A request that finds an account without its wallet completes the account instead of refusing.
  expect(new Set(done.map(({ value }) => value.accountId)).size).toBe(1);
  for (const result of results)
    if (result.status === "rejected")
      expect(result.reason).toMatchObject({ code: "wrong_credentials", param: "email" });
  expect(await pointsOf(done[0]?.value.accountId ?? "")).toBe(1_000_000_000n);
  const orphans = await site.deps.pool.query(
    `select from account a where not exists (select from "user" u where u.account_id = a.id)`,
  );
  expect(orphans.rowCount).toBe(0);
});

test.each(["openWallet", "credit"] as const)(
  "a sign-up cut off at %s is completed by the next sign-up or sign-in",
  async (step) => {
    for (const next of ["sign-up", "sign-in"]) {
      const email = `${step.toLowerCase()}-${next}@example.com`;
      const broken = ledgerWith(site.deps.ledger, {
        [step]: () => Promise.reject(new Error("cut off")),
      });
      await expect(signUp({ ...site.deps, ledger: broken }, { email, password })).rejects.toThrow(
        "cut off",
      );
      await expect(
        signUp(site.deps, { email, password: "another password" }),
      ).rejects.toMatchObject({ code: "wrong_credentials" });
      const { accountId } =
        next === "sign-up"
          ? await signUp(site.deps, { email, password })
          : await signInWithPassword(site.deps, { email, password });
      expect(await pointsOf(accountId)).toBe(1_000_000_000n);
      await signInWithPassword(site.deps, { email, password });
      expect(await pointsOf(accountId)).toBe(1_000_000_000n);
    }
  },
);

test.each(["invite", "closed"] as const)("nobody can sign up while sign-up is %s", async (mode) => {
  const deps = { ...site.deps, settings: { ...site.deps.settings, RELAY_SIGNUP: mode } };
  await expect(signUp(deps, { email: `${mode}@example.com`, password })).rejects.toMatchObject({
    code: "sign_up_closed",
  });
});

test("a wrong password and an unknown email get the same answer", async () => {
  await signUp(site.deps, { email: "known@example.com", password });
  const answer = (email: string) =>
    signInWithPassword(site.deps, { email, password: "wrong password" }).catch(
      ({ code, message, param }) => ({ code, message, param }),
    );
  expect(await answer("known@example.com")).toEqual(await answer("unknown@example.com"));
  await expect(
    signInWithPassword(site.deps, { email: "known@example.com", password: "x".repeat(100_000) }),
  ).rejects.toMatchObject({
    code: "wrong_credentials",
  });
});

test("after ten wrong passwords the right one is refused too, with the time to wait", async () => {
  await signUp(site.deps, { email: "target@example.com", password });
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      signInWithPassword(site.deps, {
        email: "target@example.com",
        password: "wrong password",
        address: "192.0.2.9",
      }),
    ),
  );
  const codes = attempts.map((attempt) =>
    attempt.status === "rejected" ? attempt.reason.code : "in",
  );
  expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
  await expect(
    signInWithPassword(site.deps, { email: "target@example.com", password }),
  ).rejects.toMatchObject({
    code: "sign_in_rate_limited",
    retryAfterSeconds: expect.any(Number),
  });
});

test.each([
  ["old", () => hash(password, { memoryCost: 4096, timeCost: 3, parallelism: 1 })],
  ["moved", () => bcrypt(password, 4)],
])("a hash that is %s is accepted once and replaced", async (name, made) => {
  const email = `${name}@example.com`;
  const account = { email, passwordHash: await made() };
  const { userId } = await createAccount(site.deps.database, site.deps.ledger, account);
  await signInWithPassword(site.deps, { email, password });
  const user = await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } });
  expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await signInWithPassword(site.deps, { email, password });
});

test("a new password requires the old one, and ends all sessions and sign-in links", async () => {
  const { userId } = await signUp(site.deps, { email: "change@example.com", password });
  const before = await signInWithPassword(site.deps, { email: "change@example.com", password });
  const claim = { sessionId: "one", userId, sessionVersion: before.sessionVersion };
  expect(await site.deps.sessions.find(claim)).not.toBeNull();
  const expiresAt = new Date(Date.now() + 60_000);
  await site.deps.database.verificationToken.create({
    data: { identifier: "change@example.com", tokenHash: "x", expiresAt },
  });
  const change = { newPassword: "a new password 1" };
  await expect(
    changePassword(site.deps, userId, { ...change, currentPassword: "wrong password" }),
  ).rejects.toMatchObject({
    code: "wrong_credentials",
    param: "currentPassword",
  });
  await expect(
    changePassword(site.deps, userId, { ...change, currentPassword: undefined }),
  ).rejects.toMatchObject({
    code: "wrong_credentials",
  });
  const after = await changePassword(site.deps, userId, { ...change, currentPassword: password });
  site.deps.sessions.forget();
  expect(await site.deps.sessions.find(claim)).toBeNull();
  expect(
    await site.deps.sessions.find({ ...claim, sessionVersion: after.sessionVersion }),
  ).not.toBeNull();
  expect(
    await site.deps.database.verificationToken.count({
      where: { identifier: "change@example.com" },
    }),
  ).toBe(0);
  await expect(
    signInWithPassword(site.deps, { email: "change@example.com", password }),
  ).rejects.toMatchObject({
    code: "wrong_credentials",
  });
  await signInWithPassword(site.deps, {
    email: "change@example.com",
    password: "a new password 1",
  });
});
