/** Mailed links that change how a user signs in: 256 random bits, stored as a hash, used once. */
import { createHash, randomBytes } from "node:crypto";
import type { Transaction } from "../db/client";
import type { UserLink } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";

export const linkKinds = ["reset", "email", "undo"] as const;
export type LinkKind = (typeof linkKinds)[number];

/** How long each is valid. A change of address can be undone for a day. */
const MINUTES: Readonly<Record<LinkKind, number>> = { reset: 30, email: 30, undo: 24 * 60 };

const hashOf = (token: string) => new Uint8Array(createHash("sha256").update(token).digest());

/** Stores a link in place of the user's last one of its kind, and returns its token. */
export async function makeLink(
  transaction: Pick<Transaction, "userLink">,
  { userId, kind, email = null }: { userId: string; kind: LinkKind; email?: string | null },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const now = new Date();
  await transaction.userLink.deleteMany({ where: { expiresAt: { lt: now } } });
  const expiresAt = new Date(now.getTime() + MINUTES[kind] * 60_000);
  const data = { tokenHash: hashOf(token), email, createdAt: now, expiresAt };
  await transaction.userLink.upsert({
    where: { userId_kind: { userId, kind } },
    create: { userId, kind, ...data },
    update: data,
  });
  return token;
}

const validLink = (kind: LinkKind, token: string) => ({
  kind,
  tokenHash: hashOf(token),
  expiresAt: { gt: new Date() },
});

/** Throws `link_invalid` unless the link can still be used. Uses nothing up. */
export async function assertLink(
  database: Pick<Transaction, "userLink">,
  kind: LinkKind,
  token: string,
): Promise<void> {
  if ((await database.userLink.count({ where: validLink(kind, token) })) === 0)
    throw new RelayError("link_invalid");
}

/**
 * Uses up a link, in the transaction of its change. Throws `link_invalid` for a link that was used
 * or replaced, or has expired: of concurrent uses, only one deletes the row.
 */
export async function takeLink(
  transaction: Pick<Transaction, "userLink">,
  kind: LinkKind,
  token: string,
): Promise<UserLink> {
  const where = validLink(kind, token);
  const link = await transaction.userLink.findFirst({ where });
  if (link === null || (await transaction.userLink.deleteMany({ where })).count !== 1)
    throw new RelayError("link_invalid");
  return link;
}

/** Ends the links that sign a user in, set a password or change the address. */
export async function endLinks(
  transaction: Pick<Transaction, "userLink" | "verificationToken">,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  await transaction.verificationToken.deleteMany({ where: { identifier: email } });
  await transaction.userLink.deleteMany({ where: { userId, kind: { in: ["reset", "email"] } } });
}

/** Whether a change of the user's address can still be undone. */
export async function canUndoEmail(
  transaction: Pick<Transaction, "userLink">,
  { id: userId, email }: { id: string; email: string },
): Promise<boolean> {
  const expiresAt = { gt: new Date() };
  const where = { userId, kind: "undo", email: { not: email }, expiresAt };
  return (await transaction.userLink.count({ where })) > 0;
}

/** Whether a user who gave the address up within a day may still take it back. */
export async function isEmailReserved(
  transaction: Pick<Transaction, "userLink">,
  email: string,
  exceptUserId = "",
): Promise<boolean> {
  const expiresAt = { gt: new Date() };
  const where = { kind: "undo", email, expiresAt, userId: { not: exceptUserId } };
  return (await transaction.userLink.count({ where })) > 0;
}
