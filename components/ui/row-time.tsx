import { useLocale } from "next-intl";
import { useNow } from "@/lib/client/now";
import { exactTime, rowTime } from "@/lib/client/times";

interface RowTimeProps {
  at: string;
  isShort?: boolean;
  /** The reader's own by default. */
  timeZone?: string | undefined;
}

/** The time of a row of a list. */
export function RowTime({ at, isShort = false, timeZone }: RowTimeProps) {
  const locale = useLocale();
  const zone = timeZone === undefined ? {} : { timeZone };
  return (
    <time dateTime={at} title={exactTime(at, locale, zone)} className="num text-muted">
      {rowTime(at, useNow(), locale, { isShort, ...zone })}
    </time>
  );
}
