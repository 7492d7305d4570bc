import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { AccountsView } from "@/components/operator/accounts-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("accounts.title") };
}

export default async function OperatorAccountsPage() {
  await requireOperator();
  return <AccountsView />;
}
