import { cookies } from "next/headers";
import { REFERRAL_COOKIE } from "@/lib/contract/referral";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { showReferral, showReferralOffer } from "@/lib/queries/referrals";

/** The offer of the link that led to the sign-up page, now or lately; null when there is none. */
export async function referralOffer(code: string | string[] | undefined) {
  const kept = (await cookies()).get(REFERRAL_COOKIE)?.value;
  const found = typeof code === "string" ? code : kept;
  return found === undefined ? null : showReferralOffer(pagesDeps(), { code: found });
}

export const referralOf = (accountId: string) => showReferral(pagesDeps(), { accountId });
