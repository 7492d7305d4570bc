/** Recovery codes: 80 random bits each, stored as hashes, used once. */
import { createHash, randomInt } from "node:crypto";
import { RECOVERY_CODES } from "../../contract/limits";
import type { Transaction } from "../../db/client";

/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const CHARACTERS = 17;

const newCode = (): string =>
  Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

const shown = (code: string) => code.replace(/(.{6})(.{6})/, "$1-$2-");

/** As it is stored: case, spaces and dashes do not matter. */
export const hashOfCode = (userId: string, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHash("sha256")
      .update(`${userId} ${code.toLowerCase().replace(/[\s-]/g, "")}`)
      .digest(),
  );

/** Replaces the user's codes by new ones, and returns these. */
export async function replaceCodes(
  transaction: Pick<Transaction, "recoveryCode">,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  const data = codes.map((code) => ({ userId, codeHash: hashOfCode(userId, code) }));
  await transaction.recoveryCode.createMany({ data });
  return codes.map(shown);
}
