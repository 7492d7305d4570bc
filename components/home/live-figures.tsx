import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useDurationText } from "@/components/ui/duration-text";
import type { LastHour } from "@/lib/contract/model-figures";

/** With fewer requests the hour says nothing. */
const REQUESTS_MIN = 5;
const strong = { b: (text: ReactNode) => <b className="num font-medium text-ink">{text}</b> };

/** How busy, reliable and fast the installation was in the last hour; nothing in a quiet one. */
export function LiveFigures({ hour }: { hour: LastHour }) {
  const t = useTranslations("home.live");
  const format = useFormatter();
  const timeText = useDurationText();
  const { requests, isMore, success, firstTokenMs } = hour;
  if (requests < REQUESTS_MIN) return null;
  const share =
    success === null
      ? null
      : format.number(Math.floor(success * 1000) / 1000, {
          style: "percent",
          maximumFractionDigits: 1,
        });
  return (
    <section
      aria-labelledby="hour"
      className="mt-10 flex flex-wrap items-baseline gap-x-8 gap-y-1 border-y py-3 text-muted"
    >
      <h2 id="hour" className="font-normal text-base">
        {t("title")}
      </h2>
      <p>{t.rich(isMore ? "more" : "requests", { count: requests, ...strong })}</p>
      {share === null ? null : <p>{t.rich("success", { share, ...strong })}</p>}
      {firstTokenMs === null ? null : (
        <p>{t.rich("firstToken", { time: timeText(firstTokenMs), ...strong })}</p>
      )}
    </section>
  );
}
