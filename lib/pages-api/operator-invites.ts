/** What operators see and change about invitations. */
import { inviteLink } from "../accounts/invites";
import * as invites from "../commands/invites";
import type { inviteEndpoints } from "../contract/operator-invites";
import { requestedPoints } from "../money/requested-points";
import { inviteView, listAllInvites } from "../queries/invites";
import type { ProgramDeps, UseCases } from "./use-case";

export const inviteUseCases: UseCases<typeof inviteEndpoints, ProgramDeps> = {
  listInvites: ({ deps, query }) => listAllInvites(deps, query),
  async createInvite({ deps, body, user }) {
    const { note, days } = body;
    const points = body.points === null ? null : requestedPoints("points", body.points);
    const made = await invites.createInvite(deps, user.userId, { note, points, days });
    return {
      invite: inviteView(made.invite),
      link: inviteLink(deps.settings.publicUrl, made.code),
    };
  },
  async revokeInvite({ deps, id, user }) {
    return { invite: inviteView(await invites.revokeInvite(deps, user.userId, { id })) };
  },
};
