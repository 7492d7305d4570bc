import { useFormatter, useLocale, useTranslations } from "next-intl";
import { monthName } from "@/lib/client/times";
import { monthRuns } from "./month-runs";

/** The names of archived months in one text; null when there are none. */
export function useArchivedMonths(months: readonly string[] | undefined): string | null {
  const t = useTranslations("entries");
  const locale = useLocale();
  const format = useFormatter();
  if (months === undefined || months.length === 0) return null;
  const runs = monthRuns(months).map(([from, to]) =>
    from === to
      ? monthName(from, locale)
      : t("months", { from: monthName(from, locale), to: monthName(to, locale) }),
  );
  return format.list(runs);
}
