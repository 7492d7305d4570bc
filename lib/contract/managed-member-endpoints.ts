/** The rows of the endpoint table for members by API. */
import { free, get, named, patch, post, remove, type Unnameds } from "./endpoint";
import {
  changeManagedMember,
  invitationRevoked,
  makeManagedInvitation,
  managedInvitationList,
  managedInvitationMade,
  managedMember,
  managedMemberList,
  memberRemoved,
  removeMemberQuery,
} from "./managed-member";

const BODY_BYTES_MAX = 16 * 1024;

const own = { group: "members", admits: ["managementKey"] } as const;
const member = { ...own, parameter: "The id of the user" } as const;
const withBody = {
  billing: "free",
  rate: "request",
  bodyBytesMax: BODY_BYTES_MAX,
  storesText: true,
} as const;

export const managedMemberEndpoints = named({
  listMembers: {
    ...get("/v1/members"),
    ...own,
    ...free("request"),
    summary: "List the members of your account with their budgets",
    scope: "members:read",
    response: managedMemberList,
  },
  getMember: {
    ...get("/v1/members/{id}"),
    ...member,
    ...free("request"),
    summary: "Get a member of your account",
    scope: "members:read",
    response: managedMember,
  },
  changeMember: {
    ...patch("/v1/members/{id}"),
    ...member,
    ...withBody,
    summary: "Change the role or the budgets of a member",
    scope: "members:write",
    request: changeManagedMember,
    response: managedMember,
  },
  removeMember: {
    ...remove("/v1/members/{id}"),
    ...member,
    ...free("request"),
    summary: "Remove a member; the member's keys are revoked unless you keep them",
    scope: "members:write",
    query: removeMemberQuery,
    response: memberRemoved,
  },
  listInvitations: {
    ...get("/v1/invitations"),
    ...own,
    ...free("request"),
    summary: "List the open invitations to your account",
    scope: "members:read",
    response: managedInvitationList,
  },
  createInvitation: {
    ...post("/v1/invitations"),
    ...own,
    ...withBody,
    summary: "Invite somebody; the answer is the only one with the link",
    scope: "members:write",
    isOncePerKey: true,
    request: makeManagedInvitation,
    response: managedInvitationMade,
  },
  revokeInvitation: {
    ...remove("/v1/invitations/{id}"),
    ...own,
    ...free("request"),
    parameter: "The id of the invitation",
    summary: "Revoke an open invitation",
    scope: "members:write",
    response: invitationRevoked,
  },
} as const satisfies Unnameds);
