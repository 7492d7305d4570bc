import { managedKeys } from "./managed-keys";
import { type MemberDeps, managedMembers } from "./managed-members";

/** The use cases of all endpoints for management keys. */
export const managed = (deps: MemberDeps) => ({ ...managedKeys(deps), ...managedMembers(deps) });
