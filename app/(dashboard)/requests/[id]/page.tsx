import { getTranslations } from "next-intl/server";
import { titled } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { PageForRole } from "@/components/ui/for-role";
import { RequestPage } from "@/components/usage/request-page";

export const generateMetadata = titled((t) => t("usage.detail.title"));

export default async function RequestLifePage({ params }: { params: Promise<{ id: string }> }) {
  await requirePageUser();
  const t = await getTranslations("usage.detail");
  return (
    <PageForRole needs="readUsage" title={t("title")}>
      <RequestPage id={(await params).id} baseUrl={siteFacts().baseUrl} />
    </PageForRole>
  );
}
