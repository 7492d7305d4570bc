import { useFormatter, useTranslations } from "next-intl";
import { SuccessBars } from "@/components/catalog/success-bars";
import { DayReader } from "./day-reader";
import { useShareText } from "./share";

const DAYS = 90;
const DAY_MS = 86_400_000;
const nothing: readonly null[] = Array.from({ length: DAYS }, () => null);

interface DayBarsProps {
  model: string;
  slots: readonly (number | null)[];
  at: Date;
}

/** The success of each of the last 90 days (UTC); `at` is within the last one. */
export function DayBars({ model, slots, at }: DayBarsProps) {
  const t = useTranslations("status");
  const format = useFormatter();
  const shareText = useShareText();
  const shown = slots.length === 0 ? nothing : slots;
  const dayOf = (slot: number) =>
    format.dateTime(new Date(at.getTime() - (shown.length - 1 - slot) * DAY_MS), {
      month: "short",
      day: "numeric",
      timeZone: "UTC",
    });
  const failing = shown.flatMap((success, slot) =>
    success === null || success === 1 ? [] : [{ slot, success }],
  );
  const [lowest] = failing.toSorted((a, b) => a.success - b.success);
  const textOf = (slot: number, success: number | null) =>
    success === null
      ? t("dayWithout", { day: dayOf(slot) })
      : t("dayText", { day: dayOf(slot), success: shareText(success) });
  return (
    <>
      <DayReader
        label={t("daysOf", { model })}
        texts={shown.map((success, slot) => textOf(slot, success))}
        first={t("first", { days: DAYS })}
        today={t("today")}
      >
        <SuccessBars slots={shown} className="block h-7 w-full" />
      </DayReader>
      <p className="sr-only">
        {t("bars", { failing: failing.length })}{" "}
        {lowest
          ? t("lowest", { success: shareText(lowest.success), day: dayOf(lowest.slot) })
          : null}
      </p>
    </>
  );
}
