import { findInvite } from "../accounts/invites";
import { INVITE_CODE_LENGTH_MAX } from "../contract/limits";
import { formatPoints } from "../points";
import type { SiteParts } from "./site-parts";

/** What an invited person is shown before the account is made; null for a code that lets nobody in any more. */
export async function showInvitation({ database }: SiteParts, code: string): Promise<{ code: string; points: string | null } | null> {
  const invite = code.length > INVITE_CODE_LENGTH_MAX ? null : await findInvite(database, code);
  return invite === null ? null : { code, points: invite.points === null ? null : formatPoints(invite.points) };
}
