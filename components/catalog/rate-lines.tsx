import { useTranslations } from "next-intl";
import { type AmountText, useRateText } from "@/components/requests/rate-text";
import { cn } from "@/components/ui/class-names";
import { priceText } from "@/lib/client/points-display";
import { rateChanges, rateKey, usualFirst } from "@/lib/client/rate-changes";
import type { RateView } from "@/lib/contract/rates";

interface RateLinesProps {
  rates: readonly RateView[];
  /** A single rate is named too. */
  isNamed?: boolean;
  /** How many lines are shown at once; all by default. A price may have 64. */
  most?: number;
  amountText?: AmountText;
}

/** A line of so many characters is not broken; a longer one may need to be on a phone. */
const UNBROKEN_MAX = 22;

/** Whether it is a single rate of tokens, which needs no name. */
const isPlain = (rates: readonly RateView[]) =>
  rates.length <= 1 && rates.every(({ unit }) => unit.endsWith("_token"));

/** A price with one line for each rate; a single rate of tokens is only its amount. */
export function RateLines({
  rates,
  isNamed = false,
  most = rates.length,
  amountText,
}: RateLinesProps) {
  const { price } = useRateText();
  const [only] = rates;
  if (!isNamed && only && isPlain(rates))
    return <span className="whitespace-nowrap">{(amountText ?? priceText)(only.points)}</span>;
  const lines = usualFirst(rates, most).map((rate) => ({
    id: rateKey(rate),
    text: price(rate, amountText),
  }));
  return <Lines lines={lines} most={most} />;
}

interface RateChangesProps {
  before: readonly RateView[];
  after: readonly RateView[];
  most?: number;
  amountText?: AmountText;
}

/** What differs between two prices, one line for each rate: `80 → 75 in`. */
export function RateChanges({ before, after, most, amountText = priceText }: RateChangesProps) {
  const { change } = useRateText();
  const [from, to] = [before[0], after[0]];
  if (from && to && isPlain(before) && isPlain(after))
    return (
      <span className="whitespace-nowrap">
        {amountText(from.points)} → {amountText(to.points)}
      </span>
    );
  const changes = rateChanges(before, after);
  const lines = usualFirst(changes, most ?? changes.length).map((each) => ({
    id: rateKey(each),
    text: change(each, amountText),
  }));
  return <Lines lines={lines} most={most} />;
}

interface Line {
  id: string;
  text: string;
}

function Lines({
  lines,
  most = lines.length,
}: {
  lines: readonly Line[];
  most?: number | undefined;
}) {
  const t = useTranslations("ui");
  const more = lines.slice(most);
  return (
    <span className="grow">
      {lines.slice(0, most).map((line) => (
        <LineText key={line.id} {...line} />
      ))}
      {more.length > 0 ? (
        <details>
          <summary className="cursor-pointer font-sans text-muted text-xs hover:text-ink">
            {t("andMore", { count: more.length })}
          </summary>
          {more.map((line) => (
            <LineText key={line.id} {...line} />
          ))}
        </details>
      ) : null}
    </span>
  );
}

const LineText = ({ text }: Line) => (
  <span className={cn("block", text.length <= UNBROKEN_MAX && "whitespace-nowrap")}>{text}</span>
);
