import { useFormatter, useTranslations } from "next-intl";
import { SuccessBars } from "@/components/catalog/success-bars";
import { useShareText } from "./share";

const DAYS = 90;
const DAY_MS = 86_400_000;
const nothing: readonly null[] = Array.from({ length: DAYS }, () => null);

/** The success of each of the last 90 days (UTC); `at` is within the last one. */
export function DayBars({ slots, at }: { slots: readonly (number | null)[]; at: Date }) {
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
  return (
    <>
      <SuccessBars
        slots={shown}
        titleOf={(slot, success) => t("dayText", { day: dayOf(slot), success: shareText(success) })}
        className="block h-7 w-full"
      />
      <p className="sr-only">
        {t("bars", { failing: failing.length })}{" "}
        {lowest
          ? t("lowest", { success: shareText(lowest.success), day: dayOf(lowest.slot) })
          : null}
      </p>
      <p aria-hidden className="mt-1 flex justify-between text-faint text-xs">
        <span>{t("first", { days: DAYS })}</span>
        <span>{t("today")}</span>
      </p>
    </>
  );
}
