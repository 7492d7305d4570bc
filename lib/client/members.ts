import { useQuery } from "@tanstack/react-query";
import { type GivenBudgets, type GivenRole, memberEndpoints } from "../contract/members";
import { call } from "./call";
import { endConversations } from "./kept-conversation";
import { reading } from "./read";
import { useWrite } from "./write";

const membersQuery = reading(["members"], memberEndpoints.listMembers, {});

export const useMembers = () => useQuery(membersQuery);

/** The answer of an invitation has its link, which is a secret. */
const useChange = <Input, Answer>(send: (input: Input) => Promise<Answer>) =>
  useWrite(send, membersQuery.queryKey, true);

export const useInvite = () =>
  useChange((body: { role: GivenRole; email: string | null }) =>
    call(memberEndpoints.inviteMember, { body }),
  );
export const useRevokeInvitation = () =>
  useChange((id: string) => call(memberEndpoints.revokeInvitation, { id }));
export const useChangeRole = () =>
  useChange(({ id, ...body }: { id: string; role: GivenRole; keepsKeys: boolean }) =>
    call(memberEndpoints.changeMemberRole, { id, body }),
  );
export const useSetBudget = () =>
  useChange(({ id, ...body }: GivenBudgets & { id: string }) =>
    call(memberEndpoints.setMemberBudget, { id, body }),
  );
export const useRemoveMember = () =>
  useChange(({ id, ...body }: { id: string; keepsKeys: boolean }) =>
    call(memberEndpoints.removeMember, { id, body }),
  );
export const useNameAccount = () =>
  useChange((name: string) => call(memberEndpoints.nameAccount, { body: { name } }));

/** A full page load, so that nothing of the other account stays in memory. */
function startAgain(path: string): void {
  endConversations(sessionStorage);
  window.location.assign(path);
}

export async function handOver(id: string): Promise<void> {
  await call(memberEndpoints.handOverAccount, { id });
  startAgain("/members");
}

export async function leave(): Promise<void> {
  await call(memberEndpoints.leaveAccount, {});
  startAgain("/overview");
}

export async function switchAccount(id: string): Promise<void> {
  await call(memberEndpoints.switchAccount, { id });
  startAgain("/overview");
}

export async function acceptInvitation(token: string): Promise<void> {
  await call(memberEndpoints.acceptInvitation, { body: { token } });
  startAgain("/overview");
}
