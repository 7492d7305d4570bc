"use client";

import { useLocale, useTranslations } from "next-intl";
import { NoticeLine } from "@/components/ui/notice-line";
import { useMe } from "@/lib/client/account";
import { useNow } from "@/lib/client/now";
import { useNoteSuspension } from "@/lib/client/shown-account";
import { exactTime, relativeTime } from "@/lib/client/times";

/** Says that the account is suspended, since when and why. */
export function Suspended() {
  const t = useTranslations("shell");
  const locale = useLocale();
  const now = useNow();
  const suspension = useMe().data?.account.suspension;
  useNoteSuspension(suspension === undefined ? undefined : suspension !== null);
  if (!suspension) return null;
  const { at, reason } = suspension;
  return (
    <NoticeLine tone="bad" role="alert" isWhole className="mb-5 has-[+[data-notice]]:mb-1.5">
      {t.rich("suspended", {
        reason,
        time: () => (
          <time dateTime={at} title={exactTime(at, locale)}>
            {relativeTime(at, now, locale)}
          </time>
        ),
      })}
    </NoticeLine>
  );
}
