/** Links that let one person each make an account where sign-up is by invitation. */
import { createHash, randomBytes } from "node:crypto";
import { INVITE_DAYS_MAX } from "../contract/limits";
import type { Database } from "../db/client";
import type { Invite } from "../db/generated/client";
import { RelayError } from "../errors";
import { newId } from "../ids";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../points";
import { recordAction } from "./actions";

export type StoredInvite = Omit<Invite, "codeHash">;

const DAY_MS = 24 * 3_600_000;
const shown = { codeHash: true } as const;

/** 192 random bits. */
const makeCode = () => randomBytes(24).toString("base64url");
const hashCode = (code: string) => new Uint8Array(createHash("sha256").update(code).digest());

/** Makes an invitation; `code` is known only now. `points` stand in place of the welcome grant, null: the welcome grant. */
export async function createInvite(
  database: Database,
  request: { note: string | null; points: Micropoints | null; days: number; actor: string },
): Promise<{ invite: StoredInvite; code: string }> {
  const { note, points, days, actor } = request;
  if (!Number.isInteger(days) || days < 1 || days > INVITE_DAYS_MAX) {
    throw new RelayError("invalid_value", { param: "days", message: `An invitation holds from 1 to ${INVITE_DAYS_MAX} days.` });
  }
  if (points !== null && (points < 0n || points > MICROPOINTS_MAX)) {
    throw new RelayError("invalid_value", { param: "points", message: "The points of an invitation are not less than 0." });
  }
  const code = makeCode();
  const expiresAt = new Date(Date.now() + days * DAY_MS);
  const data = { id: newId("invite"), codeHash: hashCode(code), note, points, createdBy: actor, expiresAt };
  const invite = await database.invite.create({ data, omit: shown });
  const after = { points: points === null ? null : formatPoints(points), expiresAt: expiresAt.toISOString(), note };
  await recordAction(database, { actor, action: "invite.create", subject: invite.id, after });
  return { invite, code };
}

/** Where the invited person makes the account. */
export const inviteLink = (publicUrl: string, code: string): string => `${publicUrl}/signup?invite=${code}`;

/** The newest invitations first, at most 100 a page, from behind `after`. */
export async function listInvites(database: Database, after?: string): Promise<{ invites: StoredInvite[]; nextCursor: string | null }> {
  const rows = await database.invite.findMany({
    where: after === undefined ? {} : { id: { lt: after } },
    orderBy: { id: "desc" },
    take: 101,
    omit: shown,
  });
  const invites = rows.slice(0, 100);
  return { invites, nextCursor: rows.length > invites.length ? (invites.at(-1)?.id ?? null) : null };
}

/** Takes an invitation back that nobody used; again changes nothing. Rejects with `not_found`. */
export async function revokeInvite(database: Database, request: { id: string; actor: string }): Promise<StoredInvite> {
  const { id, actor } = request;
  const { count } = await database.invite.updateMany({ where: { id, revokedAt: null, usedAt: null }, data: { revokedAt: new Date() } });
  const invite = await database.invite.findUnique({ where: { id }, omit: shown });
  if (invite === null) throw new RelayError("not_found", { message: "There is no such invitation." });
  if (count > 0) await recordAction(database, { actor, action: "invite.revoke", subject: id });
  return invite;
}

const usable = (code: string) => ({ codeHash: hashCode(code), usedAt: null, revokedAt: null, expiresAt: { gt: new Date() } });

/** The invitation that a code can still be used for, or null. */
export function findInvite(database: Database, code: string): Promise<StoredInvite | null> {
  return database.invite.findFirst({ where: usable(code), omit: shown });
}

/** Uses an invitation up for an account, in the transaction that makes it. Throws `invite_invalid` for all but the first. */
export async function takeInvite(transaction: Pick<Database, "invite">, code: string, accountId: string): Promise<void> {
  const { count } = await transaction.invite.updateMany({ where: usable(code), data: { usedAt: new Date(), usedAccountId: accountId } });
  if (count !== 1) throw new RelayError("invite_invalid");
}
