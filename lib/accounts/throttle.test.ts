import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { openPool } from "../db/pool";
import {
  addressGroup,
  byAddress,
  byMailTo,
  byNewEmail,
  bySignIn,
  bySignInLink,
  countAttempt,
} from "./throttle";

const pool = await opened(openPool(await createTestDatabase(), 8), (pool) => pool.end());

test("of 40 attempts at once exactly 10 pass, and the others get the time to wait", async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 40 }, () => countAttempt(pool, [bySignIn("a@example.com")])),
  );
  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  const refused = attempts.find((attempt) => attempt.status === "rejected");
  expect(refused?.reason).toMatchObject({
    code: "sign_in_rate_limited",
    message: "Too many attempts. Try again in 15 minutes.",
  });
  expect(refused?.reason.retryAfterSeconds).toBeGreaterThan(890);
  expect(refused?.reason.retryAfterSeconds).toBeLessThanOrEqual(900);
  const { rows } = await pool.query(
    "select actor, action from operator_action where subject = 'sign-in:a@example.com'",
  );
  expect(rows, "written down once, not for each of them").toEqual([
    { actor: "system", action: "attempts.limited" },
  ]);
});

test("an address may have 50 failures over all accounts, and a refused attempt is not counted", async () => {
  for (let i = 0; i < 50; i++)
    await countAttempt(pool, [bySignIn(`b${i}@example.com`), byAddress("192.0.2.1")]);
  await expect(
    countAttempt(pool, [bySignIn("c@example.com"), byAddress("192.0.2.1")]),
  ).rejects.toMatchObject({
    code: "sign_in_rate_limited",
  });
  expect(
    (await pool.query("select from sign_in_failure where subject = 'sign-in:c@example.com'"))
      .rowCount,
  ).toBe(0);
  await countAttempt(pool, [bySignIn("c@example.com"), byAddress("192.0.2.2")]);
});

test("uncounted attempts, and those of 15 minutes ago, do not count", async () => {
  for (let i = 0; i < 30; i++) await (await countAttempt(pool, [bySignIn("d@example.com")]))();
  for (let i = 0; i < 10; i++) await countAttempt(pool, [bySignIn("d@example.com")]);
  await expect(countAttempt(pool, [bySignIn("d@example.com")])).rejects.toThrow();
  await pool.query(
    "update sign_in_failure set at = now() - interval '15 minutes 1 second' where subject = 'sign-in:d@example.com'",
  );
  await countAttempt(pool, [bySignIn("d@example.com")]);
});

test.each([
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8::A", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:192.0.2.1", "2001:db8:1:2::/64"],
  ["fe80::1%br-lan.1", "fe80:0:0:0::/64"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["::1", "0:0:0:0::/64"],
  ["0x7f.1", "0x7f.1"],
  [undefined, "unknown"],
])("the address %s counts as %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test("mails are counted for the mailbox, whichever of its addresses gets them; sign-ins for the address", () => {
  const addresses = ["a.da@gmail.com", "ada+1@googlemail.com", "ADA+b@gmail.com"];
  for (const subjectOf of [byMailTo, byNewEmail, bySignInLink])
    expect(new Set(addresses.map((address) => subjectOf(address).name)).size).toBe(1);
  expect(new Set(addresses.map((address) => bySignIn(address).name)).size).toBe(3);
});
