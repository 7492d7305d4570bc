/**
 * What the members of an account may do, by their role. One table for the server, which refuses,
 * and for the pages, which hide and say why.
 */
import { type MemberRole, memberRoles } from "./states";

export const rolesOf = {
  /** The balance, sums of what was spent, who the members are. */
  readAccount: memberRoles,
  readKeys: ["owner", "admin", "developer", "viewer"],
  /** Make keys, and change and revoke those that one made. */
  makeKeys: ["owner", "admin", "developer"],
  changeEveryKey: ["owner", "admin"],
  manageByApi: ["owner", "admin"],
  readUsage: ["owner", "admin", "developer", "viewer"],
  /** Results, prompts and answers of other members; everybody reads the own ones. */
  readEveryResult: ["owner", "admin", "viewer"],
  /** Open the playground, and hide results. */
  work: ["owner", "admin", "developer"],
  /** Order there, and cancel orders. */
  order: ["owner", "admin", "developer"],
  readPoints: ["owner", "admin", "viewer", "billing"],
  /** Redeem vouchers, change invoices, and end payments. */
  topUp: ["owner", "admin", "billing"],
  /** Pay, and let a card be charged. */
  buy: ["owner", "admin", "billing"],
  readWebhooks: ["owner", "admin", "developer", "viewer"],
  changeAccount: ["owner", "admin"],
  manageMembers: ["owner", "admin"],
  /** Hand the account over, and close it. */
  own: ["owner"],
} as const satisfies Readonly<Record<string, readonly MemberRole[]>>;

export type Permission = keyof typeof rolesOf;

/** The permissions that no role has while the account is suspended. */
const whileActive: ReadonlySet<Permission> = new Set(["order", "buy", "own"]);

export const endsWithSuspension = (permission: Permission): boolean => whileActive.has(permission);

export function may(role: MemberRole, permission: Permission): boolean {
  const roles: readonly MemberRole[] = rolesOf[permission];
  return roles.includes(role);
}
