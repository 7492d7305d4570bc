import { useFormatter, useLocale } from "next-intl";
import { monthName } from "@/lib/client/times";

/** The names of archived months in one text; null when there are none. */
export function useArchivedMonths(months: readonly string[] | undefined): string | null {
  const locale = useLocale();
  const format = useFormatter();
  if (months === undefined || months.length === 0) return null;
  return format.list(months.map((month) => monthName(month, locale)));
}
