import { useLocale } from "next-intl";
import { useNow } from "@/lib/client/now";
import { exactTime, rowTime } from "@/lib/client/times";

/** The time of a row of a list, in the reader's zone. */
export function RowTime({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const locale = useLocale();
  return (
    <time dateTime={at} title={exactTime(at, locale)} className="num text-muted">
      {rowTime(at, useNow(), locale, isShort)}
    </time>
  );
}
