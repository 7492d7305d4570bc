import { useTranslations } from "next-intl";
import { RateChanges, RateLines } from "@/components/catalog/rate-lines";
import { FactList } from "@/components/ui/fact-list";
import { LocalTime } from "@/components/ui/local-time";
import { priceText } from "@/lib/client/points-display";
import type { PriceHistory as History } from "@/lib/contract/public";
import { isMainRate } from "@/lib/contract/units";

/** The rates of a version that are shown at once; a price may have 64. */
const RATES_SHOWN = 6;

/** A model's past list prices, newest first. */
export function PriceHistory({ history }: { history: History }) {
  const t = useTranslations("modelPage");
  if (history.versions.length === 0) return null;
  return (
    <section aria-labelledby="history" className="mt-10">
      <h2 id="history" className="text-xl">
        {t("history")}
      </h2>
      <p className="mt-1 mb-3 text-muted text-sm">{t("historyNote")}</p>
      <FactList
        facts={history.versions.map((version, at) => ({
          name: <LocalTime at={version.effectiveAt} className="font-normal text-muted" />,
          text: (
            <span className="num text-ink">
              <VersionText version={version} before={history.versions[at + 1]} />
            </span>
          ),
        }))}
      />
    </section>
  );
}

type Version = History["versions"][number];

/** Of tokens the price itself; of other units what differs from the price before. */
function VersionText({ version, before }: { version: Version; before: Version | undefined }) {
  const t = useTranslations("modelPage");
  const { input, output, rates } = version;
  if (rates.every(isMainRate))
    return input === null
      ? priceText(output)
      : t("inOut", { input: priceText(input), output: priceText(output) });
  if (before === undefined) return <RateLines rates={rates} isNamed most={RATES_SHOWN} />;
  return <RateChanges before={before.rates} after={rates} most={RATES_SHOWN} />;
}
