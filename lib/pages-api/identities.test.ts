/** The other services through which a user signs in: added and removed by actions of their own. */
import { expect, test } from "vitest";
import { FactorPeople } from "@/testing/accounts/factor-people";
import { TestBrowser } from "@/testing/accounts/test-browser";
import { opened } from "@/testing/unit/opened";
import { linkWishCookieName, readLinkWish } from "../accounts/link-wish";
import { identityId } from "../accounts/sign-in-services";
import { linkIdentity } from "../commands/identities";

const people = await opened(FactorPeople.open(), ({ site }) => site.close());
const { settings } = people.site.deps;
const deps = {
  ...people.site.deps,
  settings: {
    ...settings,
    RELAY_SECOND_FACTOR: "nobody" as const,
    OIDC_ISSUER: "https://id.example",
    OIDC_LABEL: "Acme",
  },
};

const identity = { provider: "oidc", providerAccountId: "https://id.example 7" };

async function signedIn() {
  const { userId, email } = await people.site.newUser();
  const browser = new TestBrowser(deps);
  await browser.passFirstStep(userId);
  return { userId, email, browser };
}

const sessionOf = async (userId: string) =>
  (await deps.database.userSession.findFirstOrThrow({ where: { userId } })).id;

async function age(userId: string) {
  const provedAt = new Date(Date.now() - 2 * 3_600_000);
  await deps.database.userSession.updateMany({ where: { userId }, data: { provedAt } });
}

async function wishOf(browser: TestBrowser, userId: string, service = "oidc") {
  const cookie = browser.cookies.get(linkWishCookieName(true));
  return readLinkWish(deps.secrets, cookie, {
    userId,
    service,
    sessionId: await sessionOf(userId),
  });
}

const actionsOf = async (subject: string) => {
  const rows = await deps.database.operatorAction.findMany({
    where: { subject, action: { startsWith: "identity" } },
    orderBy: { id: "asc" },
  });
  return rows.map(({ action, detail }) => [action, detail]);
};

test("only a session with a fresh proof can ask, for itself and for the named service", async () => {
  const { userId, browser } = await signedIn();
  await age(userId);
  const asked = await browser.call("startIdentity", { service: "oidc" });
  expect([asked.status, asked.code]).toEqual([403, "proof_required"]);
  expect(await wishOf(browser, userId)).toBeNull();
  await deps.sessions.prove(await sessionOf(userId));
  expect((await browser.call("startIdentity", { service: "github" })).code).toBe("not_found");
  expect((await browser.call("startIdentity", { service: "oidc" })).code).toBe("done");
  expect(await wishOf(browser, userId)).toMatchObject({ id: expect.stringMatching(/^link-/) });
  expect(await wishOf(browser, userId, "github")).toBeNull();
  const other = await signedIn();
  other.browser.cookies.set(
    linkWishCookieName(true),
    browser.cookies.get(linkWishCookieName(true)) ?? "",
  );
  expect(await wishOf(other.browser, other.userId)).toBeNull();
});

test("a wish adds one identity, recorded; its owner lists and removes it, by mail and record", async () => {
  const { userId, email, browser } = await signedIn();
  const second = new TestBrowser(deps);
  await second.passFirstStep(userId);
  await browser.call("startIdentity", { service: "oidc" });
  const session = await deps.database.userSession.findMany({ where: { userId } });
  const cookie = browser.cookies.get(linkWishCookieName(true));
  const wish = session
    .map(({ id: sessionId }) =>
      readLinkWish(deps.secrets, cookie, { userId, service: "oidc", sessionId }),
    )
    .find((each) => each !== null);
  if (!wish) throw new Error("there is no wish");
  const owner = { userId, sessionVersion: 1 };
  const uses = await Promise.allSettled([
    linkIdentity(deps, owner, { ...identity, wish }),
    linkIdentity(deps, owner, { ...identity, providerAccountId: "https://id.example 8", wish }),
  ]);
  expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [shown] = (await browser.call("listIdentities")).json.identities;
  expect(shown).toMatchObject({ service: "oidc", subject: expect.stringMatching(/^[78]$/) });
  const { browser: stranger } = await signedIn();
  expect((await stranger.call("removeIdentity", undefined, shown.id)).code).toBe("not_found");
  await age(userId);
  expect((await browser.call("removeIdentity", undefined, shown.id)).code).toBe("proof_required");
  await deps.database.userSession.updateMany({ where: { userId }, data: { provedAt: new Date() } });
  expect((await browser.call("removeIdentity", undefined, shown.id)).code).toBe("done");
  expect((await browser.call("listIdentities")).json.identities).toEqual([]);
  expect((await second.call("listIdentities")).code).toBe("sign_in_required");
  const record = { service: "oidc" };
  expect(await actionsOf(userId)).toEqual([
    ["identity.link", record],
    ["identity.remove", record],
  ]);
  expect(people.site.lastMail(email).text).toContain("removed from your account");
});

test("the last way to sign in stays where no mail can set a password", async () => {
  const { userId, browser } = await signedIn();
  await deps.database.userIdentity.create({ data: { ...identity, userId } });
  await deps.database.user.update({ where: { id: userId }, data: { passwordHash: null } });
  const { SMTP_URL: _, ...settings } = deps.settings;
  const unmailed = new TestBrowser({ ...deps, settings });
  for (const [name, value] of browser.cookies) unmailed.cookies.set(name, value);
  const refused = await unmailed.call("removeIdentity", undefined, identityId(identity));
  expect([refused.code, refused.json.error.fault]).toEqual([
    "invalid_value",
    { name: "last_sign_in" },
  ]);
  expect((await browser.call("removeIdentity", undefined, identityId(identity))).code).toBe("done");
});

test("an operator's session from elsewhere adds nothing", async () => {
  const { userId } = await people.site.newUser();
  await deps.database.user.update({ where: { id: userId }, data: { isOperator: true } });
  const settings = { ...deps.settings, RELAY_OPERATOR_ADDRESSES: "203.0.113.0/24" };
  const browser = new TestBrowser({ ...deps, settings }, "203.0.113.9");
  await browser.passFirstStep(userId);
  const elsewhere = new TestBrowser({ ...deps, settings }, "198.51.100.9");
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const refused = await elsewhere.call("startIdentity", { service: "oidc" });
  expect(refused.code).toBe("address_not_allowed");
});

test("an operator lists the services of an account's members, and removes one of any user", async () => {
  const { userId, email } = await signedIn();
  const { accountId } = await deps.database.user.findUniqueOrThrow({ where: { id: userId } });
  await deps.database.userIdentity.create({
    data: { ...identity, providerAccountId: "https://id.example 9", userId },
  });
  const { userId: operatorId } = await people.site.newUser();
  await deps.database.user.update({ where: { id: operatorId }, data: { isOperator: true } });
  const browser = new TestBrowser(deps);
  await browser.passFirstStep(operatorId);
  const shown = (await browser.call("listUserIdentities", undefined, accountId)).json.identities;
  expect(shown).toMatchObject([{ userId, service: "oidc", subject: "9" }]);
  expect((await browser.call("removeUserIdentity", undefined, "0".repeat(32))).code).toBe(
    "not_found",
  );
  expect((await browser.call("removeUserIdentity", undefined, shown[0].id)).code).toBe("done");
  expect(await deps.database.userIdentity.count({ where: { userId } })).toBe(0);
  expect(people.site.lastMail(email).text).toContain("removed from your account");
});
