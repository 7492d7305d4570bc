/** `/v1/members` and `/v1/invitations`: what the members' page does, by its use cases. */
import type { z } from "zod";
import {
  type ManagedMemberView,
  managedInvitationList,
  managedMember,
} from "../contract/managed-member";
import type { managedMemberEndpoints } from "../contract/managed-member-endpoints";
import { invitation, member } from "../contract/members";
import { inOneTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { type CallOf, jsonAnswer, type UseCase } from "../http/serve";
import { validateQuery } from "../http/validate";
import { askRow, shownAs } from "./ask-row";
import type { ProgramDeps } from "./use-case";

type Rows = typeof managedMemberEndpoints;
type UseCases = { readonly [Name in keyof Rows]: UseCase<Rows[Name]> };

const shownMember = (view: z.input<typeof member>): ManagedMemberView =>
  managedMember.parse({ ...shownAs(member, view), object: "member" });

const shownInvitation = (view: z.input<typeof invitation>) =>
  managedInvitationList.shape.data.element.parse({
    ...shownAs(invitation, view),
    object: "invitation",
  });

type OneMember = CallOf<Rows["getMember"]> | CallOf<Rows["changeMember"]>;

/** Rejects with `not_found`, also for a member of another account. */
async function memberNamed(deps: ProgramDeps, call: OneMember): Promise<ManagedMemberView> {
  const { members } = await askRow("listMembers", deps, call);
  const found = members.find(({ id }) => id === call.parameter);
  if (found !== undefined) return shownMember(found);
  throw new RelayError("not_found", { message: "There is no such member." });
}

async function change(deps: ProgramDeps, call: CallOf<Rows["changeMember"]>): Promise<void> {
  const { role, keep_keys = false, ...budgets } = call.body;
  const before = await memberNamed(deps, call);
  if (role !== undefined && before.role === "owner")
    throw new RelayError("invalid_value", {
      param: "role",
      message: "This is the account's owner. Hand the account over to another member first.",
      fault: { name: "is_owner" },
    });
  await inOneTransaction(deps.database, async () => {
    await askRow("setMemberBudget", deps, call, budgets);
    if (role !== undefined) await askRow("changeMemberRole", deps, call, { role, keep_keys });
  });
}

export function managedMembers(deps: ProgramDeps): UseCases {
  return {
    async listMembers(call) {
      const { members } = await askRow("listMembers", deps, call);
      return jsonAnswer(call, { object: "list", data: members.map(shownMember) });
    },
    getMember: async (call) => jsonAnswer(call, await memberNamed(deps, call)),
    async changeMember(call) {
      await change(deps, call);
      return jsonAnswer(call, await memberNamed(deps, call));
    },
    async removeMember(call) {
      const { parameter: id, incoming, row } = call;
      const { keep_keys: keeps } = validateQuery(row.query, incoming.query);
      await askRow("removeMember", deps, call, { keep_keys: keeps === "true" });
      return jsonAnswer(call, { id, object: "member", removed: true });
    },
    async listInvitations(call) {
      const { invitations } = await askRow("listMembers", deps, call);
      return jsonAnswer(call, { object: "list", data: invitations.map(shownInvitation) });
    },
    async createInvitation(call) {
      const { role, email = null } = call.body;
      const made = await askRow("inviteMember", deps, call, { role, email });
      return jsonAnswer(call, { ...shownInvitation(made.invitation), link: made.link });
    },
    async revokeInvitation(call) {
      await askRow("revokeInvitation", deps, call);
      return jsonAnswer(call, { id: call.parameter, object: "invitation", revoked: true });
    },
  };
}
