import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { RequestsView } from "@/components/operator/requests-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("requests.title") };
}

export default async function OperatorRequestsPage() {
  await requireOperator();
  return <RequestsView />;
}
