/** Members and invitations as a management key sees and changes them. */
import { z } from "zod";
import { isMailAddress } from "./email-shape";
import { givenMemberBudgets, memberBudgets } from "./held-limits";
import { EMAIL_LENGTH_MAX } from "./limits";
import { givenRole } from "./members";
import { memberRoles } from "./states";

const role = z.enum(memberRoles);

export const managedMember = z.object({
  id: z.string().describe("The id of the user"),
  object: z.literal("member").describe("The kind of object"),
  email: z.string().describe("The user's address"),
  name: z.string().nullable().describe("The user's name; null where none was given"),
  role: role.describe("What the member may do"),
  joined_at: z.int().describe("When the user became a member, in epoch seconds"),
  keys: z.int().describe("The keys and management keys in use that the member made"),
  spent_30_days_points: z
    .number()
    .describe("The points spent in 30 days with the member's keys and in the playground"),
  ...memberBudgets,
});
export type ManagedMemberView = z.infer<typeof managedMember>;

export const managedMemberList = z.object({
  object: z.literal("list").describe("The kind of object"),
  data: z.array(managedMember).describe("All members, the first one first"),
});

export const changeManagedMember = z.strictObject({
  role: givenRole.optional().describe("The new role; ownership is handed over on the page"),
  keep_keys: z.boolean().optional().meta({
    default: false,
    description: "Whether the member's keys keep working if the new role could not create them",
  }),
  ...givenMemberBudgets,
});

export const removeMemberQuery = z.strictObject({
  keep_keys: z
    .enum(["true", "false"])
    .optional()
    .meta({ default: "false", description: "Whether the keys that the member made keep working" }),
});

export const memberRemoved = z.object({
  id: z.string().describe("The id of the user"),
  object: z.literal("member").describe("The kind of object"),
  removed: z.literal(true).describe("The user is no longer a member"),
});

const managedInvitation = z.object({
  id: z.string().describe("The id of the invitation"),
  object: z.literal("invitation").describe("The kind of object"),
  role: role.describe("The role that it gives"),
  email: z.string().nullable().describe("Only this address can accept; null: anyone with the link"),
  created_at: z.int().describe("When it was made, in epoch seconds"),
  expires_at: z.int().describe("When it ends, in epoch seconds"),
});

export const managedInvitationMade = managedInvitation.extend({
  link: z.string().describe("The address at which it is accepted; it is in this answer only"),
});

export const managedInvitationList = z.object({
  object: z.literal("list").describe("The kind of object"),
  data: z.array(managedInvitation).describe("The open invitations, newest first"),
});

export const makeManagedInvitation = z.strictObject({
  role: givenRole.describe("The role that it gives"),
  email: z
    .string()
    .max(EMAIL_LENGTH_MAX)
    .refine(isMailAddress, "it must be an email address")
    .nullable()
    .optional()
    .describe("Only this address can accept; no mail is sent"),
});

export const invitationRevoked = z.object({
  id: z.string().describe("The id of the invitation"),
  object: z.literal("invitation").describe("The kind of object"),
  revoked: z.literal(true).describe("It can no longer be accepted"),
});
