/**
 * Work that a browser does before it signs up. The server hides a number behind scrypt and signs the
 * question, so it stores nothing until an answer is used; an answer is used once, in any process.
 */
import { createHmac, randomInt, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { type HumanChallenge, humanCheckCost } from "../contract/human-check-cost";
import { derivedKey } from "../crypto/seal";
import { type Secrets, withFitting } from "../crypto/secrets";
import type { Transaction } from "../db/client";
import { RelayError } from "../failures/relay-error";
import { takeOnce } from "./second-factor/challenge";

const PURPOSE = "relay human check v1";
const SECONDS = 10 * 60;
const PARTS = /^(human-[\da-f-]{36})\.(\d{13})\.(\d{1,4})\.([\w-]{43})\.([\w-]{43})\.(\d{1,4})$/;

const { dkLen, ...cost } = humanCheckCost;
const derive = promisify<string, string, number, typeof cost, Buffer>(scrypt);
const targetOf = async (number: number, salt: string) =>
  (await derive(String(number), salt, dkLen, cost)).toString("base64url");

const macOf = (secret: string, question: string): Buffer =>
  createHmac("sha256", derivedKey(secret, PURPOSE)).update(question).digest();

/** A question that is answered after at most `tries` tries. */
export async function newHumanCheck(
  { current }: Pick<Secrets, "current">,
  tries: number,
  now = Date.now(),
): Promise<HumanChallenge> {
  const salt = `human-${randomUUID()}`;
  const target = await targetOf(randomInt(tries), salt);
  const asked = `${salt}.${now + SECONDS * 1000}.${tries}.${target}`;
  const question = `${asked}.${macOf(current, asked).toString("base64url")}`;
  return { question, salt, target, tries };
}

/**
 * Uses up an answer. Rejects with `human_check_failed` when it is missing, forged, wrong, old, used
 * before, or easier than `tries` tries.
 */
export async function assertHuman(
  { secrets, database }: { secrets: Secrets; database: Pick<Transaction, "endedSession"> },
  answer: string | undefined,
  tries: number,
  now = Date.now(),
): Promise<void> {
  const [, id = "", until = "", asked = "", target = "", mac = "", number = ""] =
    PARTS.exec(answer ?? "") ?? [];
  const question = `${id}.${until}.${asked}.${target}`;
  const sent = Buffer.from(mac, "base64url");
  const isOurs = (secret: string) =>
    sent.length === 32 && timingSafeEqual(macOf(secret, question), sent) ? true : null;
  const refused = () => new RelayError("human_check_failed");
  if (withFitting(secrets, isOurs) === null) throw refused();
  if (Number(until) <= now || Number(asked) < tries) throw refused();
  if ((await targetOf(Number(number), id)) !== target) throw refused();
  await database.endedSession.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  if (!(await takeOnce(database, { id, until: Number(until) }))) throw refused();
}
