import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { countLinkRequest } from "../accounts/identities";
import { readDevice, rememberDevice } from "../accounts/known-device";
import { mayOperateFrom } from "../accounts/operator-addresses";
import { signUp } from "../accounts/sign-up";
import { byAddress, countAttempt } from "../accounts/throttle";
import { readSettings } from "../settings/settings";
import { changePassword, provePassword, signInWithPassword } from "./sign-in";

let people = 0;
const site = await opened(startSiteProcess());

const password = "correct horse battery";

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "in",
    ({ code }: { code: string }) => code,
  );

/** A user on whose account a stranger has tried ten wrong passwords. */
async function lockedUser() {
  const stranger = `203.0.113.${people}`;
  const email = `p${++people}@example.com`;
  const { userId } = await signUp(site.deps, { email, password, address: `192.0.2.${people}` });
  const tries = Array.from({ length: 10 }, () =>
    signInWithPassword(site.deps, { email, password: "wrong password", address: stranger }),
  );
  await Promise.allSettled(tries);
  expect(
    await codeOf(signInWithPassword(site.deps, { email, password, address: "198.51.100.1" })),
  ).toBe("sign_in_rate_limited");
  return { email, userId, stranger };
}

function deviceOf(userId: string) {
  const cookie = /=([^;]+)/.exec(
    rememberDevice(site.deps.secrets, { userId, cookie: undefined, isSecure: true }),
  )?.[1];
  return readDevice(site.deps.secrets, cookie);
}

test("strangers' failures, also from the same address, do not lock out a browser in which the user signed in before", async () => {
  const { email, userId, stranger } = await lockedUser();
  for (let each = 0; each < 40; each++) await countAttempt(site.deps.pool, [byAddress(stranger)]);
  const device = deviceOf(userId);
  expect(
    await codeOf(signInWithPassword(site.deps, { email, password, address: stranger, device })),
  ).toBe("in");
  expect(await codeOf(signInWithPassword(site.deps, { email, password, address: stranger }))).toBe(
    "sign_in_rate_limited",
  );
});

test("a known browser also gets only ten attempts, and is known for no other account", async () => {
  const { email, userId } = await lockedUser();
  const other = await lockedUser();
  const device = deviceOf(userId);
  const tries = Array.from({ length: 15 }, () =>
    codeOf(signInWithPassword(site.deps, { email, password: "wrong password", device })),
  );
  const codes = await Promise.all(tries);
  expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
  expect(await codeOf(signInWithPassword(site.deps, { email, password, device }))).toBe(
    "sign_in_rate_limited",
  );
  expect(
    await codeOf(signInWithPassword(site.deps, { email: other.email, password, device })),
  ).toBe("sign_in_rate_limited");
});

test("strangers' failures do not affect an active session: it can verify and change the password, with ten failures of its own", async () => {
  const { userId, stranger } = await lockedUser();
  const sessionId = `session-${userId}`;
  expect(
    await codeOf(provePassword(site.deps, { userId, password, sessionId, address: stranger })),
  ).toBe("in");
  expect(await codeOf(provePassword(site.deps, { userId, password, address: stranger }))).toBe(
    "sign_in_rate_limited",
  );
  const change = {
    currentPassword: password,
    newPassword: `${password}!`,
    sessionId,
    address: stranger,
  };
  expect(await codeOf(changePassword(site.deps, userId, change))).toBe("in");
  const tries = Array.from({ length: 15 }, () =>
    codeOf(provePassword(site.deps, { userId, password: "wrong", sessionId })),
  );
  expect((await Promise.all(tries)).filter((code) => code === "wrong_credentials")).toHaveLength(
    10,
  );
  expect(
    await codeOf(
      provePassword(site.deps, { userId, password: `${password}!`, sessionId: "another" }),
    ),
  ).toBe("in");
});

test("links that a stranger requests do not lock the password", async () => {
  const email = `p${++people}@example.com`;
  await signUp(site.deps, { email, password, address: `192.0.2.${people}` });
  for (let each = 0; each < 10; each++)
    await codeOf(countLinkRequest(site.deps, { email, address: "198.51.100.7" }));
  expect(await codeOf(countLinkRequest(site.deps, { email, address: "198.51.100.8" }))).toBe(
    "sign_in_rate_limited",
  );
  expect(
    await codeOf(signInWithPassword(site.deps, { email, password, address: "198.51.100.9" })),
  ).toBe("in");
});

test("operators sign in only from their networks; elsewhere the right password is refused as wrong, and recorded", async () => {
  const settings = readSettings({ RELAY_OPERATOR_ADDRESSES: "192.0.2.0/28, 2001:db8::/32" });
  const deps = { ...site.deps, settings };
  const email = `op${++people}@example.com`;
  const { userId } = await signUp(site.deps, { email, password, address: `192.0.2.${people}` });
  const from = (address: string | undefined) =>
    codeOf(signInWithPassword(deps, { email, password, address }));
  expect(await from("198.51.100.1")).toBe("in");
  await site.deps.database.user.update({ where: { id: userId }, data: { isOperator: true } });
  expect([await from("192.0.2.7"), await from("2001:db8::1")]).toEqual(["in", "in"]);
  for (const address of ["192.0.2.16", "198.51.100.1", "2001:db9::1", "", undefined])
    expect(await from(address)).toBe("wrong_credentials");
  const written = await site.deps.database.operatorAction.findMany({
    where: { action: "sign_in.address_refused", subject: userId },
  });
  expect(written).toHaveLength(5);
  expect(mayOperateFrom(readSettings({}), undefined)).toBe(true);
});

test.each([",", "10.0.0.0/33", "office", "10.0.0.1;10.0.0.2"])(
  "invalid operators' networks stop the start: %s",
  (text) => {
    expect(() => readSettings({ RELAY_OPERATOR_ADDRESSES: text })).toThrow(
      /RELAY_OPERATOR_ADDRESSES/,
    );
  },
);
