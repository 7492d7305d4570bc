import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { UsageView } from "@/components/usage/usage-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("usage");
  return { title: t("title") };
}

export default async function UsagePage() {
  await requirePageUser();
  return <UsageView />;
}
