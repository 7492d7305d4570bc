import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { helpFacts } from "@/app/_server/site";
import { NotificationsView } from "@/components/notifications/notifications-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notifications");
  return { title: t("title") };
}

export default async function NotificationsPage() {
  await requirePageUser();
  return <NotificationsView sendsMail={helpFacts().hasMail} />;
}
