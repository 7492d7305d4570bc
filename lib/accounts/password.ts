import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { compare } from "bcryptjs";

/** Argon2id, the library's default variant, with 19 MiB, two passes and one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const current = "$argon2id$v=19$m=19456,t=2,p=1$";

/** A bcrypt hash with a cost that a server can bear: those of users who moved here. */
const bcryptHash = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./0-9A-Za-z]{53}$/;

/** Whether a hash of another product is one that `verifyPassword` can check. */
export const isMovedHash = (passwordHash: string): boolean => bcryptHash.test(passwordHash);

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), parameters);
}

/**
 * The hash that an unknown user's password is compared with, so that the answer takes as long as
 * for a known user.
 */
const nobodysHash = hashPassword(randomBytes(32).toString("hex"));

/**
 * Takes the same time whether or not there is a hash. Without one the answer is always false. A
 * moved hash takes the time of bcrypt, until the first sign-in replaces it.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  if (passwordHash !== null && isMovedHash(passwordHash)) return compare(password, passwordHash);
  const isRight = await verify(
    passwordHash ?? (await nobodysHash),
    password.normalize("NFKC"),
  ).catch(() => false);
  return isRight && passwordHash !== null;
}

/** True when the hash was made with other parameters than the current ones. */
export function isPasswordHashOld(passwordHash: string): boolean {
  return !passwordHash.startsWith(current);
}
