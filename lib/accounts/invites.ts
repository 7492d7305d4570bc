/** Invitations: a link allows one sign-up where sign-up is by invitation. */
import { createHash, randomBytes } from "node:crypto";
import type { Database } from "../db/client";
import type { Invite } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";

export type StoredInvite = Omit<Invite, "codeHash">;

/** The columns that are left out when an invitation is read. */
export const withoutCode = { codeHash: true } as const;

/** 192 random bits. */
export const makeInviteCode = () => randomBytes(24).toString("base64url");
export const hashInviteCode = (code: string) =>
  new Uint8Array(createHash("sha256").update(code).digest());

/** The page on which an invitation's user creates the account. */
export const inviteLink = (publicUrl: string, code: string): string =>
  `${publicUrl}/signup?invite=${code}`;

/** A page of invitations, newest first, at most 100, starting after `after`. */
export async function listInvites(
  database: Database,
  after?: string,
): Promise<{ invites: StoredInvite[]; nextCursor: string | null }> {
  const rows = await database.invite.findMany({
    where: after === undefined ? {} : { id: { lt: after } },
    orderBy: { id: "desc" },
    take: 101,
    omit: withoutCode,
  });
  const invites = rows.slice(0, 100);
  return {
    invites,
    nextCursor: rows.length > invites.length ? (invites.at(-1)?.id ?? null) : null,
  };
}

const usable = (code: string) => ({
  codeHash: hashInviteCode(code),
  usedAt: null,
  revokedAt: null,
  expiresAt: { gt: new Date() },
});

/** The unused, valid invitation for a code; null when there is none. */
export function findInvite(database: Database, code: string): Promise<StoredInvite | null> {
  return database.invite.findFirst({ where: usable(code), omit: withoutCode });
}

/**
 * Uses up an invitation for an account, in the transaction that creates the account. Throws
 * `invite_invalid` for all but the first.
 */
export async function redeemInvite(
  transaction: Pick<Database, "invite">,
  code: string,
  accountId: string,
): Promise<void> {
  const { count } = await transaction.invite.updateMany({
    where: usable(code),
    data: { usedAt: new Date(), usedAccountId: accountId },
  });
  if (count !== 1) throw new RelayError("invite_invalid");
}
