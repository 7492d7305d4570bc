import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";

interface SummaryProps {
  /** Incidents that go on. */
  goingOn: number;
  /** Models that are not doing well now. */
  troubled: number;
}

/** Whether anything is wrong now, in one line. */
export function Summary({ goingOn, troubled }: SummaryProps) {
  const t = useTranslations("status");
  const isWell = goingOn === 0 && troubled === 0;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <p className="mb-5.5 flex items-start gap-3 rounded-lg border bg-card px-5 py-4 text-lg shadow-lift">
      <Icon
        aria-hidden
        className={`mt-0.5 size-5 shrink-0 ${isWell ? "text-ok-ink" : "text-held-ink"}`}
      />
      <span>
        {isWell ? t("well") : null}
        {goingOn > 0 ? `${t("goOn", { count: goingOn })} ` : null}
        {troubled > 0 ? t("troubled", { count: troubled }) : null}
      </span>
    </p>
  );
}
