import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { PackagesView } from "@/components/operator/packages-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("packages.title") };
}

export default async function OperatorPackagesPage() {
  await requireOperator();
  return <PackagesView />;
}
