import { expect, test } from "vitest";
import { fixedSecrets } from "../crypto/secrets";
import { readDevice, rememberDevice } from "./known-device";

const text = "a secret of at least thirty-two characters";
const secret = fixedSecrets(text);
const DAY_MS = 86_400_000;
const now = 20_000 * DAY_MS;

function cookieAfter(userId: string, cookie?: string, at = now): string {
  return (
    /^relay-device=([^;]+);/.exec(
      rememberDevice(secret, { userId, cookie, isSecure: false }, at),
    )?.[1] ?? ""
  );
}

test("the cookie is __Host-, hidden from scripts, and long-lived", () => {
  const cookie = rememberDevice(secret, { userId: "usr_1", cookie: undefined, isSecure: true });
  expect(cookie).toMatch(
    /^__Host-relay-device=[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test("a browser is known for the users who signed in there and for nobody else", () => {
  const cookie = cookieAfter("usr_1");
  expect(readDevice(secret, cookie, now)?.knows("usr_1")).toBe(true);
  expect(readDevice(secret, cookie, now)?.knows("usr_2")).toBe(false);
  expect(readDevice(fixedSecrets(`${text}.`), cookie, now)?.knows("usr_1")).toBe(false);
  expect(readDevice(fixedSecrets(`${text}.`, text), cookie, now)?.knows("usr_1")).toBe(true);
  const both = cookieAfter("usr_2", cookie);
  expect(["usr_1", "usr_2", "usr_3"].map((id) => readDevice(secret, both, now)?.knows(id))).toEqual(
    [true, true, false],
  );
  expect(readDevice(secret, both, now)?.id).toBe(readDevice(secret, cookie, now)?.id);
});

test("the last five users are remembered, each for 400 days after the last sign-in", () => {
  let cookie: string | undefined;
  for (let each = 0; each < 50; each++) cookie = cookieAfter(`usr_${each % 7}`, cookie);
  expect(
    [0, 1, 2, 3, 4, 5, 6].map((id) => readDevice(secret, cookie, now)?.knows(`usr_${id}`)),
  ).toEqual([true, false, false, true, true, true, true]);
  expect(cookie?.length).toBeLessThan(200);
  expect(readDevice(secret, cookie, now + 400 * DAY_MS)?.knows("usr_0")).toBe(true);
  expect(readDevice(secret, cookie, now + 401 * DAY_MS)?.knows("usr_0")).toBe(false);
  expect(
    readDevice(secret, cookieAfter("usr_0", cookie, now + DAY_MS), now + 401 * DAY_MS)?.knows(
      "usr_0",
    ),
  ).toBe(true);
});

test("an invalid cookie is no device", () => {
  const cookie = cookieAfter("usr_1");
  for (const sent of [
    undefined,
    "",
    "x",
    cookie.slice(0, -1),
    `${cookie}.`,
    cookie.replace(".", ".."),
    "a".repeat(5000),
    `${cookie}${".0-a".repeat(5000)}`,
  ])
    expect(readDevice(secret, sent, now)?.knows("usr_1") ?? false).toBe(false);
  // A mark from another browser's cookie.
  const [id] = cookieAfter("usr_2").split(".");
  expect(readDevice(secret, `${id}.${cookie.split(".")[1]}`, now)?.knows("usr_1")).toBe(false);
});
