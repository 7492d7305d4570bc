import { notFound } from "next/navigation";
import { titled } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { receiptOf } from "@/app/_server/topup";
import { Receipt } from "@/components/points/receipt";
import { may } from "@/lib/contract/member-roles";
import { formatPoints } from "@/lib/money/points";

export const generateMetadata = titled((t) => t("topup.receiptPage.title"));

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const user = await requirePageUser();
  if (!may(user.role, "readPoints")) notFound();
  const receipt = await receiptOf(user.accountId, decodeURIComponent((await params).id));
  if (receipt === null) notFound();
  const { payment, seller, buyer } = receipt;
  const { id, number, packageName, points, amount, currency, refunded, takenBack, paidAt } =
    payment;
  return (
    <Receipt
      seller={{ ...seller, name: seller.name || new URL(siteFacts().origin).host }}
      buyer={buyer ?? { name: user.email, address: "", taxNumber: "" }}
      accountId={user.accountId}
      payment={{
        id,
        number,
        packageName,
        amount,
        currency,
        refunded,
        points: formatPoints(points),
        takenBack: formatPoints(takenBack),
        paidAt: paidAt.toISOString(),
      }}
    />
  );
}
