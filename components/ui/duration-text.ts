import { useFormatter, useTranslations } from "next-intl";

/** `820 ms`, `2.1 s`. */
export function useDurationText(): (ms: number) => string {
  const t = useTranslations("settlement");
  const format = useFormatter();
  return (ms) =>
    ms < 1000
      ? t("milliseconds", { milliseconds: format.number(ms, { maximumFractionDigits: 0 }) })
      : t("seconds", { seconds: format.number(ms / 1000, { maximumFractionDigits: 1 }) });
}
