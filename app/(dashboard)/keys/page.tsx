import { getTranslations } from "next-intl/server";
import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { KeysView } from "@/components/api-keys/keys-view";
import { ManagementKeysCard } from "@/components/management-keys/management-keys-card";
import { PageForRole } from "@/components/ui/for-role";

export const generateMetadata = pageTitle("keys");

export default async function KeysPage() {
  await requirePageUser();
  const t = await getTranslations("keys");
  return (
    <PageForRole needs="readKeys" title={t("title")}>
      <KeysView baseUrl={siteFacts().baseUrl} managementKeys={<ManagementKeysCard />} />
    </PageForRole>
  );
}
