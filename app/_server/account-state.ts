import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { hasSpent, lowBalanceOf } from "@/lib/queries/me";

/** Whether the account has had no successful request yet. */
export async function hasNotSpent(accountId: string): Promise<boolean> {
  return !(await hasSpent(pagesDeps(), accountId));
}

/** The account's notice limit if fewer points are available; null otherwise. */
export function lowBalance(accountId: string): Promise<string | null> {
  return lowBalanceOf(pagesDeps(), accountId);
}
