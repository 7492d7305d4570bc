/** Whether two addresses reach the same person, as far as that can be seen; and what a mailbox gets once. */
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Transaction } from "../db/client";

/** Other domains of a provider, under which it delivers to the same mailbox. */
const sameAs: Readonly<Record<string, string>> = {
  "googlemail.com": "gmail.com",
  "protonmail.com": "proton.me",
  "pm.me": "proton.me",
  "me.com": "icloud.com",
  "mac.com": "icloud.com",
};
/** A provider that leaves dots out. */
const dotless = "gmail.com";

/** One address for all of a mailbox. */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const named = address.slice(at + 1).replace(/\.$/, "");
  const domain = Object.hasOwn(sameAs, named) ? sameAs[named] : named;
  const name = address.slice(0, at).replace(/\+.*$/, "");
  return `${domain === dotless ? name.replaceAll(".", "") : name}@${domain}`;
}

export const isSameMailbox = (one: string, other: string): boolean =>
  mailboxOf(one) === mailboxOf(other);

/** What is kept of a mailbox when its user is gone: SHA-256, in hexadecimal digits. */
export const mailboxHash = (email: string): string =>
  createHash("sha256").update(mailboxOf(email)).digest("hex");

const note = `
insert into mailbox_gift (hash, account_id) values (decode($1, 'hex'), $2) on conflict do nothing`;

/** Notes which account got what the mailbox gets once, in the transaction that gives it. */
export async function noteGift(
  transaction: Pick<Transaction, "$executeRawUnsafe">,
  { accountId, email }: { readonly accountId: string; readonly email: string },
): Promise<void> {
  await transaction.$executeRawUnsafe(note, mailboxHash(email), accountId);
}

/** Whether no other account got anything for the mailbox. From here on, none but this one does. */
export async function takeGift(
  pool: pg.Pool,
  { accountId, email }: { readonly accountId: string; readonly email: string },
): Promise<boolean> {
  const hash = mailboxHash(email);
  await pool.query(note, [hash, accountId]);
  const noted = "select from mailbox_gift where hash = decode($1, 'hex') and account_id = $2";
  return (await pool.query(noted, [hash, accountId])).rowCount === 1;
}
