import { type AuditFields, recordAction } from "../accounts/actions";
import {
  hashInviteCode,
  makeInviteCode,
  type StoredInvite,
  withoutCode,
} from "../accounts/invites";
import { makeOnce } from "../accounts/once-effect";
import { INVITE_DAYS_MAX } from "../contract/limits";
import { newId } from "../crypto/ids";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

const DAY_MS = 24 * 3_600_000;

interface NewInvite {
  readonly note: string | null;
  /** Replaces the welcome grant; null keeps it. */
  readonly points: Micropoints | null;
  readonly days: number;
}

/** Creates an invitation. `code` is returned only here. Rejects with `invalid_value`. */
export async function createInvite(
  { database }: Deps,
  actor: string,
  { note, points, days }: NewInvite,
): Promise<{ invite: StoredInvite; code: string }> {
  if (!Number.isInteger(days) || days < 1 || days > INVITE_DAYS_MAX) {
    throw invalidValue("days", `An invitation can be valid for 1 to ${INVITE_DAYS_MAX} days.`);
  }
  if (points !== null && (points < 0n || points > MICROPOINTS_MAX)) {
    throw invalidValue("points", "The points of an invitation must not be negative.");
  }
  return makeOnce(database, async (transaction) => {
    const code = makeInviteCode();
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    const data = {
      id: newId("invite"),
      codeHash: hashInviteCode(code),
      note,
      points,
      createdBy: actor,
      expiresAt,
    };
    const after: AuditFields = {
      points: points === null ? null : formatPoints(points),
      expiresAt: expiresAt.toISOString(),
      note,
    };
    const invite = await transaction.invite.create({ data, omit: withoutCode });
    await recordAction(transaction, actor, "invite.create", invite.id, { after });
    return { invite, code };
  });
}

/** Revokes an unused invitation. Repeating it changes nothing. Rejects with `not_found`. */
export function revokeInvite(
  { database }: Deps,
  actor: string,
  { id }: { id: string },
): Promise<StoredInvite> {
  return inDatabaseTransaction(database, async (transaction) => {
    const open = { id, revokedAt: null, usedAt: null };
    const { count } = await transaction.invite.updateMany({
      where: open,
      data: { revokedAt: new Date() },
    });
    const invite = await transaction.invite.findUnique({ where: { id }, omit: withoutCode });
    if (invite === null)
      throw new RelayError("not_found", { message: "There is no such invitation." });
    if (count > 0) await recordAction(transaction, actor, "invite.revoke", id);
    return invite;
  });
}
