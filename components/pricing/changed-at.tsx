import { useTranslations } from "next-intl";
import { LocalTime } from "@/components/ui/local-time";
import type { ModelPriceView } from "@/lib/contract/prices";

/** When the newest of the prices came into force; nothing without prices. */
export function ChangedAt({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("pricing");
  const changedAt = prices.reduce(
    (latest, { effectiveAt }) => (effectiveAt && effectiveAt > latest ? effectiveAt : latest),
    "",
  );
  if (changedAt === "") return null;
  return (
    <p className="mt-3 text-muted text-sm">
      {t("changed")} <LocalTime at={changedAt} />
    </p>
  );
}
