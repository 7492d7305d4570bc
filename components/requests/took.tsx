import { useFormatter, useTranslations } from "next-intl";
import { clockText } from "@/lib/client/clock-text";

const MINUTE_MS = 60_000;

const decimals = (ms: number) => (ms < 1000 ? 2 : ms < 10_000 ? 1 : 0);

/** How long something took: `0.04 s`, `1.4 s`, `38 s`, `1:02`. */
export function Took({ ms }: { ms: number }) {
  const t = useTranslations("settlement");
  const format = useFormatter();
  const seconds = ms / 1000;
  const text =
    ms >= MINUTE_MS
      ? clockText(Math.round(seconds))
      : t("seconds", {
          seconds: format.number(seconds, { maximumFractionDigits: decimals(ms) }),
        });
  return <span className="num text-muted">{text}</span>;
}
