"use client";

import { useTranslations } from "next-intl";
import { useNow } from "@/lib/client/now";

const MINUTE_MS = 60_000;

/** How long a signed address still works. */
export function TimeLeft({ address }: { address: string }) {
  const t = useTranslations("studio");
  const now = useNow();
  const expires = Number(new URL(address).searchParams.get("expires")) * 1000;
  const minutes = Math.max(0, Math.floor((expires - now) / MINUTE_MS));
  return (
    <span className="text-muted text-sm">
      {minutes >= 60 ? t("hoursLeft", { hours: Math.floor(minutes / 60) }) : t("minutesLeft", { minutes })}
    </span>
  );
}
