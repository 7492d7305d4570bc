/** Sessions and waiting sign-ins that a stranger planted in a browser before its user signs in. */
import { expect, test } from "vitest";
import { codeOf, FactorPeople } from "@/testing/accounts/factor-people";
import type { TestBrowser } from "@/testing/accounts/test-browser";
import { opened } from "@/testing/unit/opened";

const people = await opened(FactorPeople.open(), ({ site }) => site.close());

/** A browser with the cookies of another one. */
function plantedFrom(stranger: TestBrowser): TestBrowser {
  const browser = people.newBrowser();
  for (const [name, value] of stranger.cookies) browser.cookies.set(name, value);
  return browser;
}

const whoIs = async (browser: TestBrowser) => (await browser.call("showMe")).json.user?.id ?? null;

test("a planted session never becomes that of the user who signs in by passkey", async () => {
  const stranger = await people.signedIn();
  const { userId, device } = await people.withPasskey();
  const browser = plantedFrom(stranger.browser);
  expect(await whoIs(browser)).toBe(stranger.userId);
  const wanted = (await browser.call("startPasskeySignIn")).json;
  expect((await browser.call("signInWithPasskey", device.sign(wanted))).code).toBe("done");
  expect(await whoIs(browser)).toBe(userId);
  expect(browser.session).not.toBe(stranger.browser.session);
  expect(await whoIs(stranger.browser)).toBe(stranger.userId);
});

test("a planted waiting sign-in takes its own user's second step only, and no session grows of it", async () => {
  const stranger = await people.withApp();
  const victim = await people.withApp();
  const half = await people.pending(stranger.userId);
  const browser = plantedFrom(half);
  const code = codeOf(victim.secret, 1);
  expect((await browser.call("completeWithCode", { code })).code).toBe("wrong_credentials");
  expect((await browser.call("completeWithCode", { code: victim.codes[0] })).code).toBe(
    "wrong_credentials",
  );
  expect([await whoIs(browser), await whoIs(half)]).toEqual([null, null]);
  // Neither attempt used the victim's own codes up.
  const own = await people.pending(victim.userId);
  expect((await own.call("completeWithCode", { code })).code).toBe("done");
  expect(await whoIs(own)).toBe(victim.userId);
  expect(await whoIs(half)).toBeNull();
});
