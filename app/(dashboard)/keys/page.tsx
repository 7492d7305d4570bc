import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { KeysView } from "@/components/api-keys/keys-view";
import { ManagementKeysCard } from "@/components/management-keys/management-keys-card";
import { PageForRole } from "@/components/ui/for-role";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("keys");
  return { title: t("title") };
}

export default async function KeysPage() {
  await requirePageUser();
  const t = await getTranslations("keys");
  return (
    <PageForRole needs="readKeys" title={t("title")}>
      <KeysView baseUrl={siteFacts().baseUrl} managementKeys={<ManagementKeysCard />} />
    </PageForRole>
  );
}
