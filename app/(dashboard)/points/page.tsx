import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { referralOf } from "@/app/_server/referral";
import { siteFacts } from "@/app/_server/site";
import { topupOffer } from "@/app/_server/topup";
import { KeysSummary } from "@/components/api-keys/keys-summary";
import { PointsView } from "@/components/points/points-view";
import { ReferralCard } from "@/components/points/referral-card";
import { may } from "@/lib/contract/member-roles";

export const generateMetadata = pageTitle("points");

export default async function PointsPage({
  searchParams,
}: {
  searchParams: Promise<{ payment?: string | string[]; card?: string | string[] }>;
}) {
  const user = await requirePageUser();
  const { payment, card } = await searchParams;
  const [prices, offer, referral] = await Promise.all([
    priceViews(user.accountId),
    topupOffer(user.accountId),
    may(user.role, "topUp") ? referralOf(user.accountId) : null,
  ]);
  const { baseUrl, origin } = siteFacts();
  const idOf = (text: typeof card) => (typeof text === "string" && text !== "" ? text : null);
  return (
    <PointsView
      prices={prices}
      keys={<KeysSummary baseUrl={baseUrl} />}
      offer={offer}
      referral={referral && <ReferralCard view={referral} origin={origin} />}
      returned={idOf(payment)}
      returnedCard={idOf(card) ?? idOf(payment)}
    />
  );
}
