import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { ChannelsView } from "@/components/operator/channels/channels-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("channels.title") };
}

export default async function ChannelsPage() {
  await requireOperator();
  return <ChannelsView />;
}
