import { scrypt } from "@noble/hashes/scrypt.js";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { type HumanChallenge, humanCheckCost } from "../contract/human-check-cost";
import { HUMAN_CHECK_LENGTH_MAX } from "../contract/limits";
import { fixedSecrets } from "../crypto/secrets";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { assertHuman, newHumanCheck } from "./human-check";

const TRIES = 12;
const MINUTE = 60_000;
const secrets = fixedSecrets("a secret of at least thirty-two characters");
const other = fixedSecrets("another secret of at least thirty-two characters");
const refused = expect.objectContaining({ code: "human_check_failed" });

/** Two processes. */
const url = await createTestDatabase();
const pool = openPool(url, 2);
const databases = [connectDatabase(url, 4), connectDatabase(url, 4)] as const;
afterAll(() => Promise.all([pool.end(), ...databases.map((each) => each.$disconnect())]));

const check = (answer: string | undefined, tries = TRIES, now?: number, by = secrets) =>
  assertHuman({ secrets: by, database: databases[0] }, answer, tries, now);

/** Solves as the browser does, with the library of the browser. */
function numberOf({ salt, target, tries }: HumanChallenge): number {
  for (let number = 0; number < tries; number++) {
    const found = Buffer.from(scrypt(String(number), salt, humanCheckCost)).toString("base64url");
    if (found === target) return number;
  }
  throw new Error("no number");
}

async function solved(tries = TRIES, now?: number): Promise<string> {
  const challenge = await newHumanCheck(secrets, tries, now);
  return `${challenge.question}.${numberOf(challenge)}`;
}

test("an answer is accepted once, whichever processes get it at the same moment", async () => {
  const answer = await solved();
  expect(answer.length).toBeLessThan(HUMAN_CHECK_LENGTH_MAX);
  const asked = Array.from({ length: 10 }, () =>
    databases.map((database) => assertHuman({ secrets, database }, answer, TRIES)),
  ).flat();
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toEqual(refused);
  await expect(check(answer)).rejects.toEqual(refused);
});

test("an answer is good for ten minutes, also after a rotation of the secret, and leaves no row behind", async () => {
  const then = Date.now() - 10 * MINUTE;
  const [early, late] = [await solved(TRIES, then), await solved(TRIES, then)];
  await check(early, TRIES, then + 10 * MINUTE - 1, fixedSecrets(other.current, secrets.current));
  await expect(check(late, TRIES, then + 10 * MINUTE)).rejects.toEqual(refused);
  await check(await solved());
  const { rows } = await pool.query("select from ended_session where expires_at < now()");
  expect(rows).toEqual([]);
});

test("the client cannot choose how much work it does", async () => {
  // A question from before the operator raised it.
  await expect(check(await solved(TRIES), TRIES + 1)).rejects.toEqual(refused);
  await check(await solved(TRIES), TRIES - 1);
});

type Change = (parts: string[]) => unknown;
const changes: [string, Change][] = [
  ["another salt", (parts) => parts.splice(0, 1, "human-00000000-0000-4000-8000-000000000000")],
  ["a later end", (parts) => parts.splice(1, 1, String(Number(parts[1]) + MINUTE))],
  ["less work", (parts) => parts.splice(2, 1, "1")],
  ["more work", (parts) => parts.splice(2, 1, "999")],
  ["another target", (parts) => parts.splice(3, 1, "A".repeat(43))],
  ["another signature", (parts) => parts.splice(4, 1, "A".repeat(43))],
  ["no signature", (parts) => parts.splice(4, 1, "")],
  ["another number", (parts) => parts.splice(5, 1, String((Number(parts[5]) + 1) % TRIES))],
  ["a number that is none", (parts) => parts.splice(5, 1, "-1")],
  ["no number", (parts) => parts.splice(5, 1)],
  ["more after it", (parts) => parts.push("1")],
];

test.each(changes)(
  "a changed answer is refused, and the right one still accepted: %s",
  async (_, change) => {
    const answer = await solved();
    const parts = answer.split(".");
    change(parts);
    await expect(check(parts.join("."))).rejects.toEqual(refused);
    await check(answer);
  },
);

test.each([undefined, "", "x", ".....", "human-".repeat(30)])(
  "no answer at all is refused: %j",
  async (answer) => {
    await expect(check(answer)).rejects.toEqual(refused);
  },
);

test("an answer to another installation's question is refused", async () => {
  await expect(check(await solved(), TRIES, Date.now(), other)).rejects.toEqual(refused);
});
