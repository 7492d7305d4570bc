/** Whether a member of an account may do what a page asks for. */
import { endsWithSuspension, may, type Permission } from "../contract/member-roles";
import type { MemberRole } from "../contract/states";
import { RelayError } from "../failures/relay-error";

/** A member of the account that the session shows. */
export interface PageUser {
  readonly accountId: string;
  readonly role: MemberRole;
  /** Whether that account is suspended. Absent for programs: their keys are refused before. */
  readonly isSuspended?: boolean;
}

/** Names the account that the calling page shows. */
const ACCOUNT_HEADER = "x-relay-account";

/**
 * Throws `account_changed` where the page was loaded for another account than the session shows now:
 * what is done on it must not happen to the other one. Throws `role_not_allowed` where the role does
 * not include the permission, and `account_suspended`. Null for what is only about the person.
 */
export function assertMember(
  permission: Permission | null,
  headers: Headers,
  { accountId, role, isSuspended = false }: PageUser,
): void {
  if (permission === null) return;
  const shown = headers.get(ACCOUNT_HEADER);
  if (shown !== null && shown !== accountId) throw new RelayError("account_changed");
  if (!may(role, permission)) throw new RelayError("role_not_allowed");
  if (isSuspended && endsWithSuspension(permission)) throw new RelayError("account_suspended");
}
