import { getTranslations } from "next-intl/server";
import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { PageForRole } from "@/components/ui/for-role";
import { UsageView } from "@/components/usage/usage-view";

export const generateMetadata = pageTitle("usage");

export default async function UsagePage() {
  await requirePageUser();
  const t = await getTranslations("usage");
  return (
    <PageForRole needs="readUsage" title={t("title")}>
      <UsageView />
    </PageForRole>
  );
}
