import { useLocale } from "next-intl";
import { exactTime } from "@/lib/client/times";
import { utcMinute } from "@/lib/values/utc-minute";

/** An exact time in the reader's zone, with that of UTC as its title. */
export function ExactTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utcMinute(at)}>
      {exactTime(at, useLocale())}
    </time>
  );
}
