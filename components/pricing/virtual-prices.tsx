import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { useListText } from "@/components/ui/use-list-text";
import type { VirtualPriceView } from "@/lib/contract/prices";

/** The models that stand for others, with the range of what they cost; nothing where there is none. */
export function VirtualPrices({ prices }: { prices: readonly VirtualPriceView[] }) {
  const listed = useListText();
  const t = useTranslations("pricing.virtual");
  if (prices.length === 0) return null;
  return (
    <Card aria-labelledby="virtual" className="mt-5.5">
      <CardHead id="virtual" title={t("title")} note={t("note")} />
      <ul className="divide-y border-t">
        {prices.map(({ model, family, models, ...range }) => (
          <li
            key={model}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3"
          >
            <span className="min-w-0">
              <code className="wrap-anywhere font-medium">{model}</code>
              <span className="wrap-anywhere block text-muted text-sm">{listed(models)}</span>
            </span>
            <span className="num text-sm">{t(family === "text" ? "range" : "usual", range)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
