import { useTranslations } from "next-intl";
import { useRateText } from "@/components/requests/rate-text";
import { FactList } from "@/components/ui/fact-list";
import { LocalTime } from "@/components/ui/local-time";
import { useListText } from "@/components/ui/use-list-text";
import { priceText } from "@/lib/client/points-display";
import type { PriceHistory as History } from "@/lib/contract/public";
import { isMainRate } from "@/lib/contract/units";

/** A model's past list prices, newest first. */
export function PriceHistory({ history }: { history: History }) {
  const listed = useListText();
  const t = useTranslations("modelPage");
  const rateText = useRateText();
  const versionText = (rates: History["versions"][number]["rates"]) =>
    rates.every(isMainRate) ? null : listed(rates.map((rate) => rateText.price(rate)));
  if (history.versions.length === 0) return null;
  return (
    <section aria-labelledby="history" className="mt-10">
      <h2 id="history" className="text-xl">
        {t("history")}
      </h2>
      <p className="mt-1 mb-3 text-muted text-sm">{t("historyNote")}</p>
      <FactList
        facts={history.versions.map(({ input, output, rates, effectiveAt }) => ({
          name: <LocalTime at={effectiveAt} className="font-normal text-muted" />,
          text: (
            <span className="num text-ink">
              {versionText(rates) ??
                (input === null
                  ? priceText(output)
                  : t("inOut", { input: priceText(input), output: priceText(output) }))}
            </span>
          ),
        }))}
      />
    </section>
  );
}
