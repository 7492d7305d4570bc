import { useLocale } from "next-intl";
import { useNow } from "@/lib/client/now";
import { exactTime, relativeTime } from "@/lib/client/times";
import { Tooltip } from "./tooltip";

/** A relative time, updated while shown; the exact time with its zone on hover and focus. */
export function RelativeTime({ at }: { at: string }) {
  const locale = useLocale();
  const now = useNow();
  return (
    <Tooltip text={exactTime(at, locale)}>
      <time dateTime={at} className="whitespace-nowrap">
        {relativeTime(at, now, locale)}
      </time>
    </Tooltip>
  );
}
