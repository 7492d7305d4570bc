/** Requests about an account's members and invitations, and about the accounts of a user. */
import { z } from "zod";
import { answerRows, answerText, done, moment } from "./bounds";
import { LINK_TOKEN_LENGTH_MAX, NAME_LENGTH_MAX } from "./limits";
import { byUser, get, ofPerson, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";
import { givenBudgets, renewingBudgets } from "./renewing-budgets";
import { shownLine } from "./shown-text";
import { memberRoles } from "./states";
import { email } from "./users";
import { wireNamed } from "./wire-forms";

const role = z.enum(memberRoles);
/** The roles that can be given; ownership is handed over. */
export const givenRole = role.exclude(["owner"]);
const token = z.string().min(1).max(LINK_TOKEN_LENGTH_MAX);
/** Whether the keys that the member made keep working. */
/** Whether what goes with a member or a key, API keys and webhooks, stays in use. */
export const keepsKeys = z.boolean().default(false).register(wireNamed, { name: "keep_keys" });

const givenMemberBudgets = z.strictObject(givenBudgets);

export const member = z.object({
  id: answerText,
  email: answerText,
  name: answerText.nullable(),
  role,
  createdAt: moment.clone().register(wireNamed, { name: "joined_at" }),
  isYou: z.boolean(),
  /** Keys and management keys in use that the member made. */
  keys: z.number().int(),
  /** By the member's keys and in the playground. */
  spent30Days: points,
  /** What the member may spend; only for the member and those who manage members. */
  budgets: renewingBudgets(),
  budgetZone: answerText.nullable(),
});

export const invitation = z.object({
  id: answerText,
  role,
  email: answerText.nullable(),
  createdAt: moment,
  expiresAt: moment,
});

/** The name of an account, or the address of its owner. */
const accountName = answerText;

const ownAccount = z.object({
  id: answerText,
  name: accountName,
  role,
  /** Whether this session shows it. */
  isShown: z.boolean(),
});

/** What the command line has too. */
export const memberProgramRows = {
  listMembers: {
    ...get("/api/members", byUser("readAccount")),
    sameAs: "listMembers",
    command: "member list",
    answer: z.object({
      account: z.object({ id: answerText, name: answerText.nullable() }),
      members: answerRows(member),
      /** The open ones; none for those who may not manage members. */
      invitations: answerRows(invitation),
      /** Whether invitations can be mailed. */
      sendsMail: z.boolean(),
    }),
  },
  changeMemberRole: {
    ...post("/api/members/{id}/role", byUser("manageMembers")),
    sameAs: "changeMember",
    command: "member role",
    proof: "recent",
    body: z.strictObject({ role: givenRole, keepsKeys }),
    answer: done,
  },
  setMemberBudget: {
    ...post("/api/members/{id}/budget", byUser("manageMembers")),
    sameAs: "changeMember",
    command: "member budget",
    proof: "recent",
    body: givenMemberBudgets,
    answer: done,
  },
  removeMember: {
    ...post("/api/members/{id}/remove", byUser("manageMembers")),
    sameAs: "removeMember",
    command: "member remove",
    proof: "recent",
    body: z.strictObject({ keepsKeys }),
    answer: done,
  },
  handOverAccount: {
    ...post("/api/members/{id}/hand-over", byUser("own")),
    noKey: "owner",
    command: "member hand-over",
    proof: "recent",
    answer: done,
  },
  nameAccount: {
    ...post("/api/account/name", byUser("changeAccount", "account:write")),
    command: "account name",
    body: z.strictObject({ name: shownLine(NAME_LENGTH_MAX) }),
    answer: done,
  },
  revokeInvitation: {
    ...post("/api/invitations/{id}/revoke", byUser("manageMembers")),
    sameAs: "revokeInvitation",
    command: "member uninvite",
    answer: done,
  },
  inviteMember: {
    ...post("/api/invitations", byUser("manageMembers")),
    sameAs: "createInvitation",
    command: "member invite",
    proof: "recent",
    status: 201,
    body: z.strictObject({ role: givenRole, email: email.nullable() }),
    /** The only answer with the link. */
    answer: z.object({ invitation, link: answerText }),
  },
} as const satisfies PageEndpoints;

export const memberEndpoints = {
  ...memberProgramRows,
  leaveAccount: {
    ...post("/api/account/leave", byUser("readAccount")),
    noKey: "person",
    noCommand: "oneself",
    proof: "recent",
    answer: done,
  },
  acceptInvitation: {
    ...post("/api/invitation/accept", ofPerson),
    noCommand: "invitee",
    body: z.strictObject({ token }),
    answer: done,
  },
  listOwnAccounts: {
    ...get("/api/own-accounts", ofPerson),
    answer: z.object({ accounts: answerRows(ownAccount) }),
  },
  switchAccount: {
    ...post("/api/own-accounts/{id}/show", ofPerson),
    noCommand: "shown",
    answer: done,
  },
} as const satisfies PageEndpoints;

export type MemberView = z.infer<typeof member>;
export type InvitationView = z.infer<typeof invitation>;
export type OwnAccount = z.infer<typeof ownAccount>;
export type GivenRole = z.infer<typeof givenRole>;
export type GivenBudgets = z.infer<typeof givenMemberBudgets>;
