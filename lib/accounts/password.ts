import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

/** Argon2id, the library's default variant, with 19 MiB, two passes and one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const current = "$argon2id$v=19$m=19456,t=2,p=1$";

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), parameters);
}

/**
 * The hash that an unknown user's password is compared with, so that the answer takes as long as
 * for a known user.
 */
const nobodysHash = hashPassword(randomBytes(32).toString("hex"));

/** Takes the same time whether or not there is a hash. Without one the answer is always false. */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
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
