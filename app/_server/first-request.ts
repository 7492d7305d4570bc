import { hasSpent } from "@/lib/site/me";
import { siteParts } from "@/lib/site/site-parts";

/** Whether the account's first successful request is still to come. */
export async function hasNotSpent(accountId: string): Promise<boolean> {
  return !(await hasSpent(siteParts(), accountId));
}
