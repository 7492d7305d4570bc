/**
 * Decides who gets welcome points: one account of a mailbox, and a number of accounts per day for each
 * address and each mail domain, counted in the database.
 */
import type { Database } from "../db/client";
import { type Micropoints, parsePoints } from "../money/points";
import type { Settings } from "../settings/settings";
import { countedDomain } from "./mail-domain";
import { mailboxHash } from "./mailbox";
import { addressGroup } from "./throttle";

export type Withheld = "address" | "domain" | "mailbox" | "unverified";

export interface WelcomeRules {
  readonly points: Micropoints;
  /** The number of accounts within 24 hours; null for any number. */
  readonly perAddress: number | null;
  readonly perDomain: number | null;
  /** Whether the points wait until the email address is verified. */
  readonly isVerificationNeeded: boolean;
}

type Statements = Pick<Database, "$executeRaw" | "$queryRaw" | "welcomeGrant">;

const bound = (text: string) => (text === "none" ? null : Number(text));

export function welcomeRules(settings: Settings): WelcomeRules {
  return {
    points: parsePoints(settings.RELAY_WELCOME_POINTS) ?? 0n,
    perAddress: bound(settings.RELAY_WELCOME_PER_ADDRESS),
    perDomain: bound(settings.RELAY_WELCOME_PER_DOMAIN),
    // Without mail, nobody could verify an address.
    isVerificationNeeded:
      settings.RELAY_WELCOME_VERIFIED === "yes" && settings.SMTP_URL !== undefined,
  };
}

export interface WelcomeRequest {
  readonly email: string;
  readonly address: string | undefined;
  readonly isVerified: boolean;
}

/**
 * Why an account gets no welcome points; null when it gets them. Locks the mailbox and the counts of
 * the address and the domain until the transaction ends, so that concurrent sign-ups cannot exceed them.
 */
export async function decideWelcome(
  transaction: Statements,
  rules: WelcomeRules,
  request: WelcomeRequest,
): Promise<Withheld | null> {
  if (rules.points <= 0n) return null;
  if (rules.isVerificationNeeded && !request.isVerified) return "unverified";
  const address = addressGroup(request.address);
  const domain = countedDomain(request.email);
  const mailbox = mailboxHash(request.email);
  for (const name of [
    `welcome:m:${mailbox}`,
    `welcome:a:${address}`,
    ...(domain === null ? [] : [`welcome:d:${domain}`]),
  ]) {
    await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 7275616))`;
  }
  const [counts] = await transaction.$queryRaw<
    { mailbox: boolean; address: number; domain: number }[]
  >`
    select exists (select from mailbox_gift where hash = decode(${mailbox}, 'hex')) as mailbox,
           (select count(*) from welcome_grant where address_group = ${address} and at > now() - interval '24 hours')::int as address,
           (select count(*) from welcome_grant where mail_domain = ${domain} and at > now() - interval '24 hours')::int as domain`;
  if (counts?.mailbox) return "mailbox";
  if (rules.perAddress !== null && (counts?.address ?? 0) >= rules.perAddress) return "address";
  if (domain !== null && rules.perDomain !== null && (counts?.domain ?? 0) >= rules.perDomain)
    return "domain";
  return null;
}

/** Counts the points of an account, in the transaction that granted them. */
export async function countWelcome(
  transaction: Statements,
  accountId: string,
  request: WelcomeRequest,
): Promise<void> {
  await transaction.$executeRaw`
    delete from welcome_grant where id in (select id from welcome_grant where at < now() - interval '1 day' limit 1000 for update skip locked)`;
  const data = {
    accountId,
    addressGroup: addressGroup(request.address),
    mailDomain: countedDomain(request.email),
  };
  await transaction.welcomeGrant.create({ data, select: { id: true } });
}
