import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { LoggedRequestPage } from "@/components/operator/logged-request-page";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("usage.detail");
  return { title: t("title") };
}

export default async function LoggedRequestLifePage({
  params,
}: {
  params: Promise<{ id: string }>;
}) {
  await requireOperator();
  return <LoggedRequestPage id={(await params).id} />;
}
