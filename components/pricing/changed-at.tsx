import { useFormatter, useTranslations } from "next-intl";
import type { ModelPriceView } from "@/lib/contract/prices";

/** When the newest of the prices came into force; nothing without prices. */
export function ChangedAt({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("pricing");
  const format = useFormatter();
  const changedAt = prices.reduce(
    (latest, { effectiveAt }) => (effectiveAt && effectiveAt > latest ? effectiveAt : latest),
    "",
  );
  if (changedAt === "") return null;
  return (
    <p className="mt-3 text-muted text-sm">
      {t("changed")}{" "}
      <time dateTime={changedAt}>
        {format.dateTime(new Date(changedAt), {
          year: "numeric",
          month: "long",
          day: "numeric",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
          timeZone: "UTC",
          timeZoneName: "short",
        })}
      </time>
    </p>
  );
}
