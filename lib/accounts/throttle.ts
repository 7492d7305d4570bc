import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type pg from "pg";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { mailboxOf } from "./mailbox";

const WINDOW_MINUTES = 15;

/** A subject for which failures are counted, and how many it may have within 15 minutes. */
export interface Subject {
  readonly name: string;
  readonly failuresMax: number;
  /** Of its window, in place of 15; at most 60, for which failures are kept (`lib/upkeep`). */
  readonly minutes?: number;
}

/**
 * The group of an address: IPv4 addresses one by one, IPv6 by /64, since every subscriber has at
 * least a /64.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined || address === "") return "unknown";
  if (isIP(address) === 0) return address.toLowerCase();
  // A zone names an interface. ipaddr.js refuses some that Node accepts.
  const parsed = ipaddr.process(address.replace(/%.*$/, ""));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}

const counted = (what: string, whose: string, failuresMax: number): Subject => ({
  name: `${what}:${whose}`,
  failuresMax,
});
const countedByHour = (what: string, whose: string, failuresMax: number): Subject => ({
  ...counted(what, whose, failuresMax),
  minutes: 60,
});

export const bySignIn = (email: string) => counted("sign-in", email, 10);
/**
 * Counts failures in a browser in which the user signed in before. Strangers have another count.
 */
export const byDevice = (deviceId: string, userId: string) =>
  counted("device", `${deviceId}:${userId}`, 10);
/**
 * Counts failures in an active session whose user gives the password again. Strangers have another
 * count.
 */
export const bySession = (sessionId: string) => counted("session", sessionId, 10);
/** Codes of an authenticator app and recovery codes, wherever they are asked for. */
export const byCode = (userId: string) => counted("code", userId, 10);
/** Mails are counted for the mailbox: all of its addresses fill the same one. */
export const bySignInLink = (email: string) => counted("link", mailboxOf(email), 10);
export const byAddress = (address: string | undefined) =>
  counted("address", addressGroup(address), 50);
export const bySignUp = (address: string | undefined) =>
  counted("sign-up", addressGroup(address), 50);
/** Requests for a new password by the mailbox that gets the mail, and by network address. */
export const byMailTo = (email: string) => countedByHour("mail", mailboxOf(email), 5);
export const byMailFrom = (address: string | undefined) =>
  countedByHour("mail-from", addressGroup(address), 20);
/** Invitations by the mailbox that gets them. As with a wish for an address, a stranger sends them. */
export const byInvited = (email: string) => countedByHour("mail-invited", mailboxOf(email), 5);
/**
 * Changes of address by the mailbox that is wanted, and by the user who asks. Requests for a
 * password have a count of their own, which a stranger must not use up in this way.
 */
export const byNewEmail = (email: string) => countedByHour("mail-new", mailboxOf(email), 5);
export const byEmailChange = (userId: string) => countedByHour("email", userId, 5);
export const byVoucher = (accountId: string) => counted("voucher", accountId, 10);

function refuse(waitSeconds: number): never {
  const minutes = Math.ceil(waitSeconds / 60);
  throw new RelayError("sign_in_rate_limited", {
    message: `Too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)),
  });
}

/** Records a subject that has reached its limit once per window, not once per attempt. */
async function noteRefusal(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  await client.query(
    `insert into operator_action (actor, action, subject) select 'system', 'attempts.limited', name from unnest($1::text[]) name
      where not exists (select from operator_action a where a.subject = name and a.action = 'attempts.limited' and a.at > now() - interval '${WINDOW_MINUTES} minutes')`,
    [names],
  );
}

/**
 * Counts an attempt as a failure before it is made, so that parallel attempts cannot slip through.
 * Returns the function that uncounts it when it succeeded. Rejects with `sign_in_rate_limited` when
 * a subject has reached its limit.
 */
export async function countAttempt(
  pool: pg.Pool,
  subjects: readonly Subject[],
): Promise<() => Promise<void>> {
  const names = subjects.map(({ name }) => name).sort();
  const counted = await inTransaction(pool, async (client) => {
    for (const name of names)
      await client.query("select pg_advisory_xact_lock(hashtextextended($1, 7275615))", [name]);
    const { rows } = await client.query<{ name: string; wait: number }>(
      `select s.name, extract(epoch from n.at + make_interval(mins => s.minutes) - now())::float8 as wait
       from unnest($1::text[], $2::int[], $3::int[]) as s(name, failures_max, minutes),
         lateral (select at from sign_in_failure f where f.subject = s.name and f.at >= now() - make_interval(mins => s.minutes)
                   order by at desc offset s.failures_max - 1 limit 1) n`,
      [
        subjects.map(({ name }) => name),
        subjects.map(({ failuresMax }) => failuresMax),
        subjects.map(({ minutes = WINDOW_MINUTES }) => minutes),
      ],
    );
    if (rows.length > 0) {
      await noteRefusal(
        client,
        rows.map(({ name }) => name),
      );
      return { ids: [], refusedFor: Math.max(...rows.map(({ wait }) => wait)) };
    }
    const inserted = await client.query<{ id: string }>(
      "insert into sign_in_failure (subject) select unnest($1::text[]) returning id",
      [names],
    );
    return { ids: inserted.rows.map(({ id }) => id), refusedFor: null };
  });
  if (counted.refusedFor !== null) return refuse(counted.refusedFor);
  return async () => {
    await pool.query("delete from sign_in_failure where id = any($1::bigint[])", [counted.ids]);
  };
}
