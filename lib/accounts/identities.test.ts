import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { countLinkRequest, identityStore, mayUseSignInLink } from "./identities";
import { sessionOf } from "./session-store";
import { signUp } from "./sign-up";

const site = await opened(startSiteProcess());
const store = identityStore(site.deps, { address: async () => undefined });

const password = "correct horse battery";
const github = (providerAccountId: string, userId: string) => ({
  provider: "github",
  providerAccountId,
  userId,
});

test("a new user of another service gets an account with welcome points, and is found by the identity alone", async () => {
  const person = await store.createUser({
    email: "New@example.com",
    emailVerified: null,
    name: "New",
  });
  await store.linkAccount(github("1", person.id));
  expect(await store.getUserByAccount({ provider: "github", providerAccountId: "1" })).toEqual(
    person,
  );
  expect(await store.getUserByAccount({ provider: "google", providerAccountId: "1" })).toBeNull();
  const { accountId } = await site.deps.database.user.findUniqueOrThrow({
    where: { id: person.id },
  });
  expect((await site.deps.ledger.balance(accountId)).available).toBe(1_000_000_000n);
});

test("an identity is never linked to a user because the email is equal", async () => {
  const { userId } = await signUp(site.deps, { email: "taken@example.com", password });
  // next-auth calls both, and refuses when the first finds nobody and the second finds a user.
  expect(await store.getUserByAccount({ provider: "github", providerAccountId: "2" })).toBeNull();
  expect(await store.getUserByEmail("taken@example.com")).toMatchObject({ id: userId });
  await expect(
    store.createUser({ email: "Taken@Example.com", emailVerified: new Date() }),
  ).rejects.toMatchObject({
    code: "already_exists",
  });
  await expect(store.createUser({ email: null, emailVerified: null })).rejects.toMatchObject({
    code: "invalid_value",
  });
});

test("an identity belongs to one user only", async () => {
  const one = await store.createUser({ email: "one@example.com", emailVerified: null });
  await store.linkAccount(github("3", one.id));
  const two = await store.createUser({ email: "two@example.com", emailVerified: null });
  await expect(store.linkAccount(github("3", two.id))).rejects.toThrow();
});

test("a sign-in adds no identity to a user who was there before it", async () => {
  const { userId } = await signUp(site.deps, { email: "before@example.com", password });
  await expect(store.linkAccount(github("4", userId))).rejects.toMatchObject({
    code: "proof_required",
  });
  const other = identityStore(site.deps, { address: async () => undefined });
  const made = await other.createUser({ email: "made@example.com", emailVerified: null });
  await expect(store.linkAccount(github("4", made.id))).rejects.toMatchObject({
    code: "proof_required",
  });
  expect(await site.deps.database.userIdentity.count({ where: { userId } })).toBe(0);
});

test("closed sign-up also refuses new users of other services", async () => {
  const closed = identityStore(
    { ...site.deps, settings: { ...site.deps.settings, RELAY_SIGNUP: "closed" } },
    { address: async () => undefined },
  );
  await expect(
    closed.createUser({ email: "late@example.com", emailVerified: new Date() }),
  ).rejects.toMatchObject({
    code: "sign_up_closed",
  });
});

test("a sign-in link works once, not after its expiry, and not for another address", async () => {
  const link = {
    identifier: "link@example.com",
    token: "hash",
    expires: new Date(Date.now() + 60_000),
  };
  await store.createVerificationToken(link);
  expect(
    await store.useVerificationToken({ identifier: "other@example.com", token: "hash" }),
  ).toBeNull();
  const uses = await Promise.all(
    Array.from({ length: 10 }, () => store.useVerificationToken(link)),
  );
  expect(uses.filter((use) => use !== null)).toHaveLength(1);
  await store.createVerificationToken({
    ...link,
    token: "late",
    expires: new Date(Date.now() - 1),
  });
  expect(await store.useVerificationToken({ ...link, token: "late" })).toBeNull();
});

test("a link does not open a stranger's password account until its own session verifies the address", async () => {
  const { userId } = await signUp(site.deps, { email: "early@example.com", password });
  const ask = (email: string, current: Parameters<typeof mayUseSignInLink>[1]["current"] = null) =>
    mayUseSignInLink(site.deps, { email, current });
  expect(await ask("nobody@example.com")).toBe(true);
  expect(await ask("early@example.com")).toBe(false);
  const own = sessionOf(await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } }));
  expect(await ask("early@example.com", { ...own, userId: "user_other" })).toBe(false);
  expect(await ask("early@example.com", own)).toBe(true);
  await store.updateUser({ id: userId, emailVerified: new Date() });
  expect(await ask("early@example.com")).toBe(true);
});

test("requests for links are limited to ten, for taken and free addresses alike", async () => {
  await signUp(site.deps, { email: "asked@example.com", password });
  for (const email of ["asked@example.com", "free@example.com"]) {
    const count = () => countLinkRequest(site.deps, { email, address: undefined });
    for (let asked = 0; asked < 10; asked++) await count();
    await expect(count()).rejects.toMatchObject({ code: "sign_in_rate_limited" });
  }
});
