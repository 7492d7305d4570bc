import { cookies } from "next/headers";
import type { LowBalanceNotice } from "@/components/shell/low-balance";
import { LATER_COOKIE } from "@/lib/client/notices";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { hasSpent, lowBalanceOf } from "@/lib/queries/me";

/** Whether the account has had no successful request yet. */
export async function hasNotSpent(accountId: string): Promise<boolean> {
  return !(await hasSpent(pagesDeps(), accountId));
}

export async function lowBalance(accountId: string): Promise<LowBalanceNotice> {
  const limit = await lowBalanceOf(pagesDeps(), accountId);
  const isDismissed = (await cookies()).get(LATER_COOKIE)?.value === accountId;
  return { accountId, limit, isDismissed };
}
