import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { TimedText } from "@/components/ui/timed-text";
import type { NotificationView } from "@/lib/contract/notifications";

interface SentItemProps {
  notification: NotificationView;
  /** Whether it came after the list was last opened. */
  isUnread: boolean;
  /** Whether any of the list was sent to somewhere else. */
  isSentOn: boolean;
}

export function SentItem({ notification, isUnread, isSentOn }: SentItemProps) {
  const t = useTranslations("notifications");
  const { title, text, path, isOver, createdAt, mail, webhooks } = notification;
  const places = [
    ...(mail === null ? [] : [t(`sentByMail.${mail}`)]),
    ...(webhooks === 0 ? [] : [t("sentByHook", { count: webhooks })]),
    ...(isSentOn && mail === null && webhooks === 0 ? [t("sentHere")] : []),
  ];
  const facts = [...(isOver ? [t("over")] : []), ...places].join(" · ");
  return (
    <li className="px-5 py-3.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">
          <Link
            href={path}
            className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          >
            {title}
          </Link>{" "}
          {isUnread ? <Pill>{t("unread")}</Pill> : null}
        </h3>
        <span className="text-muted text-sm">
          <RelativeTime at={createdAt} />
        </span>
      </div>
      <p className={cn("wrap-anywhere text-sm", isOver && "text-muted")}>
        <TimedText text={text} />
      </p>
      {facts ? <p className="mt-1 text-muted text-xs">{facts}</p> : null}
    </li>
  );
}
