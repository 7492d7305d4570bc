import { useLocale, useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { type AmountText, useRateText } from "@/components/requests/rate-text";
import { dayName } from "@/lib/client/days";
import { priceText } from "@/lib/client/points-display";
import { rateChanges, rateKey, splitRates } from "@/lib/client/rate-changes";
import type { RateView } from "@/lib/contract/rates";
import type { Family } from "@/lib/contract/states";
import { RateParts } from "./rate-parts";

const DATED_RATES_SHOWN = 3;

interface RateLinesProps {
  rates: readonly RateView[];
  /** A single rate is named too. */
  isNamed?: boolean;
  /** How many lines are shown at once; all by default. A price may have 64. */
  most?: number;
  amountText?: AmountText;
}

/** Whether it is a single rate of tokens, which needs no name. */
const isPlain = (rates: readonly RateView[]) =>
  rates.length <= 1 && rates.every(({ unit }) => unit.endsWith("_token"));

/** A price with one line for each rate; a single rate of tokens is only its amount. */
export function RateLines({ rates, isNamed = false, most, amountText }: RateLinesProps) {
  const { price } = useRateText();
  const [only] = rates;
  if (!isNamed && only && isPlain(rates))
    return <span className="whitespace-nowrap">{(amountText ?? priceText)(only.points)}</span>;
  return <Lines of={rates} most={most} text={(rate) => price(rate, amountText)} />;
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
  return <Lines of={changes} most={most} text={(each) => change(each, amountText)} />;
}

interface DatedRateChangeProps {
  family: Family;
  model: string;
  at: string;
  before: readonly RateView[];
  after: readonly RateView[];
}

/** A line of a list: from when on a model has another price. */
export function DatedRateChange({ family, model, at, before, after }: DatedRateChangeProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-2 text-sm">
      <span className="num w-16 whitespace-nowrap text-muted">{dayName(at, useLocale())}</span>
      <span className="flex-1">
        <FamilyTag family={family}>{model}</FamilyTag>
      </span>
      <span className="num ml-auto text-right">
        <RateChanges before={before} after={after} most={DATED_RATES_SHOWN} />
      </span>
    </li>
  );
}

interface LinesProps<Rate> {
  of: readonly Rate[];
  most: number | undefined;
  text: (rate: Rate) => string;
}

function Lines<Rate extends Omit<RateView, "points">>({ of, most, text }: LinesProps<Rate>) {
  const t = useTranslations("ui");
  const { shown, more } = splitRates(of, most ?? of.length);
  const lineOf = (rate: Rate) => (
    <span key={rateKey(rate)} className="block">
      <RateParts text={text(rate)} />
    </span>
  );
  return (
    <span className="grow">
      {shown.map(lineOf)}
      {more.length > 0 ? (
        <details>
          <summary className="cursor-pointer font-sans text-muted text-xs hover:text-ink">
            {t("andMore", { count: more.length })}
          </summary>
          {more.map(lineOf)}
        </details>
      ) : null}
    </span>
  );
}
