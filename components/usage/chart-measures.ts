/** What the usage chart measures, for the drawing and in words. */
import { useFormatter, useTranslations } from "next-intl";
import { useDurationText } from "@/components/ui/duration-text";
import { readPoints, shortPoints } from "@/lib/client/points-display";
import type { UsageChart } from "@/lib/contract/usage-chart";
import { formatPoints } from "@/lib/money/points";

export const measures = ["points", "requests", "tokens", "latency", "firstToken"] as const;
export type Measure = (typeof measures)[number];

/** Times of several series have no sum. */
export const hasSums = (measure: Measure) => measure !== "latency" && measure !== "firstToken";

export type Series = UsageChart["series"][number];
export type Sums = Pick<
  Series,
  | "charged"
  | "requests"
  | "inputTokens"
  | "outputTokens"
  | "latencyMs"
  | "latencyP95Ms"
  | "firstTokenMs"
  | "firstTokenP95Ms"
>;

/** For the drawing only. Null where nothing was measured. */
export const measured: Record<Measure, (sums: Sums) => number | null> = {
  points: ({ charged }) => Number(charged),
  requests: ({ requests }) => requests,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  latency: ({ latencyMs }) => latencyMs,
  firstToken: ({ firstTokenMs }) => firstTokenMs,
};

/** What 95 of 100 took at most; null where times are not measured. */
export function slowest(measure: Measure, sums: Sums): number | null {
  if (measure === "latency") return sums.latencyP95Ms;
  return measure === "firstToken" ? sums.firstTokenP95Ms : null;
}

/** A measured value in words; a median with the 95th percentile. */
export function useValueText(measure: Measure): (sums: Sums) => string {
  const format = useFormatter();
  const t = useTranslations("charts");
  const durationText = useDurationText();
  return (sums) => {
    if (measure === "points") return shortPoints(sums.charged);
    const value = measured[measure](sums);
    if (value === null) return "–";
    if (hasSums(measure)) return format.number(value);
    const slow = slowest(measure, sums);
    return slow === null
      ? durationText(value)
      : t("band", { median: durationText(value), slow: durationText(slow) });
  };
}

export const nothing: Sums = {
  charged: "0.000000",
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  latencyMs: null,
  latencyP95Ms: null,
  firstTokenMs: null,
  firstTokenP95Ms: null,
};

export const add = (sums: readonly Sums[]): Sums => ({
  ...nothing,
  charged: formatPoints(sums.reduce((sum, { charged }) => sum + readPoints(charged), 0n)),
  requests: sums.reduce((sum, { requests }) => sum + requests, 0),
  inputTokens: sums.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  outputTokens: sums.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
});
