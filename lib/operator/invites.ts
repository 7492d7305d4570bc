import type { z } from "zod";
import { inviteLink } from "../accounts/invites";
import { createInvite, revokeInvite } from "../commands/invites";
import type { createInviteRequest } from "../contract/operator-accounts";
import { inviteView } from "../queries/invites";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";

export async function inviteSomeone({ parts, body, user }: Call<z.output<typeof createInviteRequest>>) {
  const { note, days } = body;
  const points = body.points === null ? null : requestedPoints("points", body.points);
  const { invite, code } = await createInvite(parts, user().userId, { note, points, days });
  return { invite: inviteView(invite), link: inviteLink(parts.settings.publicUrl, code) };
}

export async function takeInviteBack({ parts, id, user }: Call) {
  return { invite: inviteView(await revokeInvite(parts, user().userId, { id })) };
}
