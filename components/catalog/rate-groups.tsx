import { useTranslations } from "next-intl";
import { useRateText } from "@/components/requests/rate-text";
import { cn } from "@/components/ui/class-names";
import { priceText } from "@/lib/client/points-display";
import { rateKey } from "@/lib/client/rate-changes";
import type { RateView } from "@/lib/contract/rates";
import { RateParts } from "./rate-parts";

/** Rates with a tier or hours come after those without, longer input after shorter. */
const inOrder = (one: RateView, other: RateView) =>
  (one.tier ?? "").localeCompare(other.tier ?? "") ||
  (one.hours ?? "").localeCompare(other.hours ?? "") ||
  (one.input_from ?? 0) - (other.input_from ?? 0);

/** All rates of a price by unit: what each is for, and its amount. */
export function RateGroups({ rates }: { rates: readonly RateView[] }) {
  const t = useTranslations("rates.unit");
  const units = [...new Set(rates.map(({ unit }) => unit))];
  return (
    <dl className="mt-5 grid max-w-lg gap-3">
      {units.map((unit) => (
        <Group
          key={unit}
          name={t(unit)}
          rates={rates.filter((rate) => rate.unit === unit).toSorted(inOrder)}
        />
      ))}
    </dl>
  );
}

/** One unit: its name with the rate that has no conditions, then the rates that have some. */
function Group({ name, rates }: { name: string; rates: readonly RateView[] }) {
  const { conditions } = useRateText();
  const [first] = rates;
  const isPlain = first !== undefined && conditions(first) === "";
  return (
    <div className="grid grid-cols-[1fr_auto] *:border-b *:py-1">
      <dt className={cn("font-medium first-letter:uppercase", !isPlain && "col-span-full")}>
        {name}
      </dt>
      {isPlain ? <dd className="num font-medium">{priceText(first.points)}</dd> : null}
      {rates.slice(isPlain ? 1 : 0).map((rate) => (
        <dd
          key={rateKey(rate)}
          className="col-span-full flex items-baseline justify-between gap-4 pl-3"
        >
          <span className="num text-muted text-sm">
            <RateParts text={conditions(rate)} />
          </span>
          <span className="num">{priceText(rate.points)}</span>
        </dd>
      ))}
    </div>
  );
}
