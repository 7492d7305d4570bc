import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { helpFacts } from "@/app/_server/site";
import { NotificationsView } from "@/components/notifications/notifications-view";

export const generateMetadata = pageTitle("notifications");

export default async function NotificationsPage() {
  await requirePageUser();
  return <NotificationsView sendsMail={helpFacts().hasMail} />;
}
