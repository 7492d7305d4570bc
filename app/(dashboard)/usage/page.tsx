import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { PageForRole } from "@/components/ui/for-role";
import { UsageView } from "@/components/usage/usage-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("usage");
  return { title: t("title") };
}

export default async function UsagePage() {
  await requirePageUser();
  const t = await getTranslations("usage");
  return (
    <PageForRole needs="readUsage" title={t("title")}>
      <UsageView />
    </PageForRole>
  );
}
