import { useFormatter, useLocale, useTranslations } from "next-intl";
import { familyColours, tintOf } from "@/components/requests/series-colours";
import type { ChartColumn, ChartSeries } from "@/components/ui/chart/chart-parts";
import { columnSums } from "@/components/ui/chart/chart-parts";
import { useDurationText } from "@/components/ui/duration-text";
import { shortPoints } from "@/lib/client/points-display";
import type { TrendsView } from "@/lib/contract/operator-trends";
import type { FailureCause } from "@/lib/contract/states";

const DAY_SECONDS = 86_400;

const causeColours: Record<FailureCause, string> = {
  upstream: "var(--bad)",
  timeout: tintOf("var(--bad)", 2),
  review: tintOf("var(--ink)", 2),
  server: "var(--ink)",
  client: "var(--line-strong)",
};

/** A slot's beginning in words: an hour, or a day. In the reader's zone, but days are those of UTC. */
function useSlotNames({ slotSeconds }: Pick<TrendsView, "slotSeconds">) {
  const locale = useLocale();
  const isDay = slotSeconds >= DAY_SECONDS;
  const day = { month: "short", day: "numeric", ...(isDay && { timeZone: "UTC" }) } as const;
  const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const write = (options: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(locale, options).format(at);
  return {
    short: (at: number) => write(slotSeconds < DAY_SECONDS / 4 ? hour : day, at),
    long: (at: number) => write(isDay ? day : { ...day, ...hour }, at),
  };
}

interface Slot {
  readonly slot: number;
}

/** The values by slot, `empty` where a slot has no entry. */
function bySlot<Each extends Slot, Value>(
  count: number,
  slots: readonly Each[],
  read: (slot: Each) => Value,
  empty: Value,
): Value[] {
  const known = new Map(slots.map((each) => [each.slot, read(each)]));
  return Array.from({ length: count }, (_, slot) => known.get(slot) ?? empty);
}

export interface TrendParts {
  readonly columns: readonly ChartColumn[];
  readonly series: readonly ChartSeries[];
}

/** Makes the parts of a chart of its series. */
function usePartsOf({ from, slotSeconds, slotCount }: TrendsView) {
  const names = useSlotNames({ slotSeconds });
  return (
    drawn: readonly Omit<ChartSeries, "texts">[],
    textOf: (value: number | null) => string,
    isSum = true,
  ): TrendParts => {
    const series = drawn.map((each) => ({ ...each, texts: each.values.map(textOf) }));
    const columns = columnSums(series, slotCount).map((sum, slot) => {
      const at = Date.parse(from) + slot * slotSeconds * 1000;
      const long = names.long(at);
      const total = isSum ? textOf(sum) : undefined;
      return { id: String(slot), short: names.short(at), long, total, said: long };
    });
    return { columns, series };
  };
}

/** The four charts of the overview. */
export function useTrendParts(
  view: TrendsView,
): Record<"requests" | "failures" | "charged" | "times", TrendParts> {
  const t = useTranslations("operator.overview.trends");
  const families = useTranslations("families");
  const format = useFormatter();
  const durationText = useDurationText();
  const partsOf = usePartsOf(view);
  const { slotCount: count, trends } = view;
  const number = (value: number | null) => (value === null ? "–" : format.number(value));
  const time = (value: number | null) => (value === null ? "–" : durationText(value));
  const points = (value: number | null) => shortPoints((value ?? 0).toFixed(6));
  const perFamily = (trends?.families ?? []).map(({ family, slots }) => ({
    id: family,
    name: families(family),
    colour: familyColours[family],
    slots,
  }));
  const ofFamilies = (
    read: (sums: (typeof perFamily)[number]["slots"][number]) => number | null,
    empty: number | null,
  ) =>
    perFamily.map(({ slots, ...each }) => ({
      ...each,
      values: bySlot(count, slots, read, empty),
    }));
  const ofCauses = (trends?.failures ?? []).map(({ cause, slots }) => ({
    id: cause,
    name: t(`causes.${cause}`),
    colour: causeColours[cause],
    values: bySlot(count, slots, ({ requests }) => requests, 0),
  }));
  return {
    requests: partsOf(
      ofFamilies(({ requests }) => requests, 0),
      number,
    ),
    failures: partsOf(ofCauses, number),
    charged: partsOf(
      ofFamilies(({ charged }) => Number(charged), 0),
      points,
    ),
    times: partsOf(
      ofFamilies(({ p95Ms }) => p95Ms, null),
      time,
      false,
    ),
  };
}
