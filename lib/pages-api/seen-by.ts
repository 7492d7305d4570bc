import type { UserSession } from "../accounts/session-store";
import { may } from "../contract/member-roles";
import type { OrderReader } from "../db/order-readers";

/** The account of a member, and what of its results the member may read; null for everything. */
export function seenBy({ accountId, userId, role }: UserSession): {
  readonly accountId: string;
  readonly reader: OrderReader | null;
} {
  const isAll = may(role, "readEveryResult");
  return { accountId, reader: isAll ? null : { accountId, userId, apiKeyId: null, models: [] } };
}
