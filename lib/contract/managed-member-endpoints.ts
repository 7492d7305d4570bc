/** The rows of the endpoint table for members by API. */
import type { EndpointRow } from "./endpoint";
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

const own = {
  group: "members",
  admits: ["managementKey"],
  billing: "free",
  rate: "request",
} as const;
const member = { ...own, path: "/v1/members/{id}", parameter: "The id of the user" } as const;
const withBody = { bodyBytesMax: BODY_BYTES_MAX, storesText: true } as const;
const withoutBody = { bodyBytesMax: 0, request: null } as const;

export const managedMemberEndpoints = {
  listMembers: {
    ...own,
    ...withoutBody,
    name: "listMembers",
    method: "GET",
    path: "/v1/members",
    summary: "List the members of your account with their budgets",
    scope: "members:read",
    response: managedMemberList,
  },
  getMember: {
    ...member,
    ...withoutBody,
    name: "getMember",
    method: "GET",
    summary: "Get a member of your account",
    scope: "members:read",
    response: managedMember,
  },
  changeMember: {
    ...member,
    ...withBody,
    name: "changeMember",
    method: "PATCH",
    summary: "Change the role or the budgets of a member",
    scope: "members:write",
    request: changeManagedMember,
    response: managedMember,
  },
  removeMember: {
    ...member,
    ...withoutBody,
    name: "removeMember",
    method: "DELETE",
    summary: "Remove a member; the member's keys are revoked unless you keep them",
    scope: "members:write",
    query: removeMemberQuery,
    response: memberRemoved,
  },
  listInvitations: {
    ...own,
    ...withoutBody,
    name: "listInvitations",
    method: "GET",
    path: "/v1/invitations",
    summary: "List the open invitations to your account",
    scope: "members:read",
    response: managedInvitationList,
  },
  createInvitation: {
    ...own,
    ...withBody,
    name: "createInvitation",
    method: "POST",
    path: "/v1/invitations",
    summary: "Invite somebody; the answer is the only one with the link",
    scope: "members:write",
    isOncePerKey: true,
    request: makeManagedInvitation,
    response: managedInvitationMade,
  },
  revokeInvitation: {
    ...own,
    ...withoutBody,
    name: "revokeInvitation",
    method: "DELETE",
    path: "/v1/invitations/{id}",
    parameter: "The id of the invitation",
    summary: "Revoke an open invitation",
    scope: "members:write",
    response: invitationRevoked,
  },
} as const satisfies Record<string, EndpointRow>;
