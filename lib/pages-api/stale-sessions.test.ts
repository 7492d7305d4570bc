/** What a session may not do that was stolen, or left open: each row that changes who has access or who pays. */
import { expect, test } from "vitest";
import { FactorPeople } from "@/testing/accounts/factor-people";
import { TestBrowser } from "@/testing/accounts/test-browser";
import { opened } from "@/testing/unit/opened";
import type { PageEndpoint } from "../contract/page-endpoint";
import { type PageName, pageEndpoints } from "../contract/page-endpoints";

const people = await opened(FactorPeople.open(), ({ site }) => site.close());
const { database } = people.site.deps;

const rows = Object.entries<PageEndpoint>(pageEndpoints) as [PageName, PageEndpoint][];
const proved = rows.filter(([, { who, proof }]) => who === "user" && proof !== undefined);

/** A person of a link by mail or of another service: there is no password to give again. */
async function withoutPassword() {
  const person = await people.signedIn();
  const { userId } = person;
  await database.user.update({ where: { id: userId }, data: { passwordHash: null } });
  return person;
}

const age = (userId: string) =>
  database.userSession.updateMany({
    where: { userId },
    data: { provedAt: new Date(Date.now() - 2 * 3_600_000) },
  });

test("without a fresh proof none of them is done, whatever ways to sign in the person has", async () => {
  for (const { userId, browser } of [await withoutPassword(), await people.withPasskey()]) {
    await age(userId);
    for (const [name] of proved)
      expect([name, (await browser.call(name, {}, "none")).code]).toEqual([name, "proof_required"]);
  }
});

test("a first password needs the proof, and every new one is told by mail", async () => {
  const { userId, email, browser } = await withoutPassword();
  const words = { newPassword: "a password of some length" };
  await age(userId);
  expect((await browser.call("changePassword", words)).code).toBe("proof_required");
  expect(await database.user.findUnique({ where: { id: userId } })).toMatchObject({
    passwordHash: null,
  });
  await browser.passFirstStep(userId);
  expect((await browser.call("changePassword", words)).code).toBe("done");
  expect(people.site.lastMail(email).subject).toContain("password");
});

test("an operator's session from outside the operators' networks does none of them, also with the proof", async () => {
  const { userId } = await people.site.newUser();
  await database.user.update({ where: { id: userId }, data: { isOperator: true } });
  const settings = {
    ...people.site.deps.settings,
    RELAY_SECOND_FACTOR: "nobody" as const,
    RELAY_OPERATOR_ADDRESSES: "203.0.113.0/24",
  };
  const deps = { ...people.site.deps, settings };
  const browser = new TestBrowser(deps, "203.0.113.9");
  await browser.passFirstStep(userId);
  const elsewhere = new TestBrowser(deps, "198.51.100.9");
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  for (const [name] of proved)
    expect([name, (await elsewhere.call(name, {}, "none")).code]).toEqual([
      name,
      "address_not_allowed",
    ]);
  expect((await browser.call("startTotp")).code).toBe("done");
});

/** What a person's own session changes without a new proof. */
const unproved = [
  // A token that was mailed, or an invitation, says more than a proof.
  ...["confirmEmail", "acceptInvitation"],
  // They end something, or are the proof.
  ...["endSession", "signOutEverywhere", "provePassword", "startPasskeyProof", "proveWithPasskey"],
  // They give nobody anything.
  ...["changeProfile", "renamePasskey", "switchAccount", "chooseNotifications"],
  ...["keepStudioSession", "removeStudioSession", "keepUsageViews"],
];

test("whatever else a person's session changes about the person is known here", () => {
  const others = rows.filter(
    ([, { who, method, permission, proof }]) =>
      who === "user" && permission === "self" && method !== "GET" && proof === undefined,
  );
  expect(others.map(([name]) => name).sort()).toEqual([...unproved].sort());
});
