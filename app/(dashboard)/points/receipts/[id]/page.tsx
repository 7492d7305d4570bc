import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { paidPayment } from "@/app/_server/topup";
import { Receipt } from "@/components/points/receipt";
import { may } from "@/lib/contract/member-roles";
import { formatPoints } from "@/lib/points";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("topup.receiptPage");
  return { title: t("title") };
}

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const user = await requirePageUser();
  if (!may(user.role, "readPoints")) notFound();
  const payment = await paidPayment(user.accountId, decodeURIComponent((await params).id));
  if (payment === null) notFound();
  const { id, number, packageName, points, amount, currency, refunded, takenBack, paidAt } =
    payment;
  return (
    <Receipt
      seller={new URL(siteFacts().origin).host}
      buyer={user.email}
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
