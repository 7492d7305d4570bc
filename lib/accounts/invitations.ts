/** Invitations to an account, as they are stored and found. */
import { createHash } from "node:crypto";
import type { Database } from "../db/client";
import type { AccountInvitation } from "../db/generated/client";

export type StoredInvitation = Omit<AccountInvitation, "tokenHash">;

/** The columns that are left out when an invitation is read. */
export const withoutToken = { tokenHash: true } as const;

export const hashInvitation = (token: string) =>
  new Uint8Array(createHash("sha256").update(token).digest());

/** The condition of the open invitation with a token. */
export const usableInvitation = (token: string) => ({
  tokenHash: hashInvitation(token),
  acceptedAt: null,
  revokedAt: null,
  expiresAt: { gt: new Date() },
});

/** The open invitation of a token; null when there is none. */
export const findInvitation = (
  database: Database,
  token: string,
): Promise<StoredInvitation | null> =>
  database.accountInvitation.findFirst({ where: usableInvitation(token), omit: withoutToken });
