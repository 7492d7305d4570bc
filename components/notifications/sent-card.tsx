import { useTranslations } from "next-intl";
import { ListFrame } from "@/components/lists/list-frame";
import { useNotifications } from "@/lib/client/notifications";
import { useIsUnread } from "@/lib/client/seen-notifications";
import { SentItem } from "./sent-item";

export function SentCard({ userId }: { userId: string }) {
  const t = useTranslations("notifications");
  const query = useNotifications();
  const notifications = query.data?.pages.flatMap((page) => page.notifications) ?? [];
  const isSentOn = notifications.some(({ mail, webhooks }) => mail !== null || webhooks > 0);
  const isUnread = useIsUnread(userId, notifications[0]?.createdAt);
  return (
    <ListFrame
      id="sent"
      title={t("sent")}
      note={t("sentNote")}
      query={query}
      empty={t("sentEmpty")}
      rows={
        notifications.length === 0 ? null : (
          <ul className="divide-y border-t">
            {notifications.map((notification) => (
              <SentItem
                key={notification.id}
                notification={notification}
                isUnread={isUnread(notification.createdAt)}
                isSentOn={isSentOn}
              />
            ))}
          </ul>
        )
      }
    />
  );
}
