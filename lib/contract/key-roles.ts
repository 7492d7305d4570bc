/** Which roles a management key may give: those that can do nothing that the key cannot. */
import { type Permission, rolesOf } from "./member-roles";
import type { ManagementScope, MemberRole } from "./states";

/** What a key needs to give a permission to somebody; null: no key gives it. */
const scopeOf: Readonly<Record<Permission, ManagementScope | null>> = {
  readAccount: "members:read",
  readKeys: "keys:read",
  makeKeys: "keys:write",
  changeEveryKey: "keys:write",
  // No key makes keys of its kind.
  manageByApi: null,
  readUsage: "usage:read",
  readEveryResult: "usage:read",
  // A key orders nothing, but makes keys that do.
  work: "keys:write",
  order: "keys:write",
  readPoints: "points:read",
  topUp: "points:write",
  buy: "points:write",
  readWebhooks: "webhooks:read",
  changeAccount: "account:write",
  manageMembers: "members:write",
  own: null,
};

const isPermission = (name: string): name is Permission => Object.hasOwn(rolesOf, name);

/** The scopes that a key needs to give a role; null where no key gives it. */
export function scopesToGive(role: MemberRole): ManagementScope[] | null {
  const scopes = new Set<ManagementScope>();
  for (const [name, roles] of Object.entries<readonly MemberRole[]>(rolesOf)) {
    if (!isPermission(name) || !roles.includes(role)) continue;
    const scope = scopeOf[name];
    if (scope === null) return null;
    scopes.add(scope);
  }
  return [...scopes];
}
