import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorKeysView } from "@/components/operator/keys/operator-keys-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("keys.title") };
}

export default async function OperatorKeysPage() {
  await requireOperator();
  return <OperatorKeysView />;
}
