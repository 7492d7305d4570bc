import { useTranslations } from "next-intl";
import { useNow } from "@/lib/client/now";

const MINUTE_MS = 60_000;

/** How long a result can still be downloaded. */
export function TimeLeft({ until }: { until: string }) {
  const t = useTranslations("studio");
  const minutes = Math.floor((Date.parse(until) - useNow()) / MINUTE_MS);
  const text =
    minutes >= 60
      ? t("hoursLeft", { hours: Math.floor(minutes / 60) })
      : minutes >= 1
        ? t("minutesLeft", { minutes })
        : t("lastMinute");
  return <span className="text-muted text-sm">{text}</span>;
}
