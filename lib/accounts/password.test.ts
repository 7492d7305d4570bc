import { hash } from "@node-rs/argon2";
import { hashSync } from "bcryptjs";
import { expect, test } from "vitest";
import { hashPassword, isMovedHash, isPasswordHashOld, verifyPassword } from "./password";

test("passwords are argon2id with at least 19 MiB, 2 passes, 1 lane", async () => {
  expect(await hashPassword("correct horse battery")).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  );
});

test("a stored hash is not accepted as a password, nor is anything for a user without a hash", async () => {
  const stored = await hashPassword("correct horse battery");
  expect(await verifyPassword(stored, "correct horse battery")).toBe(true);
  for (const wrong of [stored, "", "correct horse batterz", "Correct horse battery"])
    expect(await verifyPassword(stored, wrong)).toBe(false);
  expect(await verifyPassword(null, "correct horse battery")).toBe(false);
  expect(await verifyPassword("not a hash", "not a hash")).toBe(false);
});

test("a hash with old parameters is recognized", async () => {
  expect(
    isPasswordHashOld(await hash("x", { memoryCost: 4096, timeCost: 3, parallelism: 1 })),
  ).toBe(true);
  expect(isPasswordHashOld(await hashPassword("x"))).toBe(false);
});

test("an unknown user takes as much work as a wrong password", async () => {
  const stored = await hashPassword("correct horse battery");
  /**
   * Measures processor time, not elapsed time, so that other work on the machine does not count.
   */
  async function workOf(passwordHash: string | null): Promise<number> {
    const before = process.cpuUsage();
    for (let i = 0; i < 10; i++) await verifyPassword(passwordHash, "wrong");
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }
  await workOf(stored);
  const [known, unknown] = [await workOf(stored), await workOf(null)];
  expect(unknown / known).toBeGreaterThan(0.5);
  expect(unknown / known).toBeLessThan(2);
});

test("the bcrypt hash of a user who moved here is checked, and is one to replace", async () => {
  const moved = hashSync("eight888", 4);
  expect(await verifyPassword(moved, "eight888")).toBe(true);
  for (const wrong of ["eight889", "", moved])
    expect(await verifyPassword(moved, wrong)).toBe(false);
  expect([isMovedHash(moved), isPasswordHashOld(moved)]).toEqual([true, true]);
  const dear = moved.replace("$04$", "$31$");
  expect([isMovedHash(dear), await verifyPassword(dear, "eight888")]).toEqual([false, false]);
});
