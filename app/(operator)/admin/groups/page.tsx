import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { GroupsView } from "@/components/operator/groups/groups-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("groups.title") };
}

export default async function OperatorGroupsPage() {
  await requireOperator();
  return <GroupsView />;
}
